import Foundation
import Offstage
import OffstageGLib
import OffstageHTML
import OffstageRequests
import OffstageVector

/// The HTTP front end: its listeners, its connections, and its shutdown. `Connection` handles requests.
@MainActor
package final class HTTPServer {
    let configuration: ServeConfiguration
    let context: ServeContext
    private let writeLog: @Sendable (String) -> Void
    private var desk: FrontDesk!
    private var listeners: [Listener] = []
    private let loops: [EventLoop]
    private var sweepers: [Sweeper] = []
    private let log: AccessLog?
    /// Returns free memory to the system.
    private var tidying: LoopTimer?

    /// Two threads can return more than ten thousand cached pictures per second; more threads would take processors
    /// from the drawings.
    private static let loopCount = min(2, ProcessInfo.processInfo.activeProcessorCount)

    var isStopping: Bool { context.isStopping }

    /// The addresses and sockets of the listeners, for people.
    package var names: [String] { listeners.map(\.name) }

    /// - Parameter writeLog: gets the lines of the access log, and messages for the operator.
    /// - Throws: `UsageError` for an address or a file that cannot be used; `EngineUnavailable`.
    package init(
        _ configuration: ServeConfiguration, service: PictureService, store: PictureStore?,
        writeLog: @escaping @Sendable (String) -> Void
    ) throws {
        try SharedLibrary.event.load()
        loops = try (0..<Self.loopCount).map { _ throws(EngineUnavailable) in try EventLoop() }
        self.configuration = configuration
        self.writeLog = writeLog
        log = configuration.accessLog.map { AccessLog($0, write: writeLog) }
        context = ServeContext(configuration, service: service, store: store)
        let (tokens, certificate) = try Self.files(configuration)
        try listen(allowsAny: tokens != nil)
        // All connections from this machine, or from a proxy, have the same address.
        let connections = Connections(
            limit: configuration.connectionLimit, hasUnixSocket: listeners.contains { !$0.isNetwork },
            limitsAddresses: tokens != nil && configuration.proxyHosts.isEmpty, report: writeLog)
        context.connections = connections
        desk = FrontDesk(
            context, routes: Routes(all: allRoutes()), connections: connections, log: log, tokens: tokens,
            certificate: certificate)
    }

    private func listen(allowsAny: Bool) throws {
        for descriptor in Activation.descriptors() {
            listeners.append(try Listener.inherited(descriptor, allowsAny: allowsAny))
        }
        for path in configuration.sockets { listeners.append(try Listener.atPath(path)) }
        for address in configuration.addresses {
            listeners.append(try Listener.at(address, allowsAny: allowsAny))
        }
    }

    /// Accepts connections from now on.
    package func start() async {
        tidying = LoopTimer(seconds: 1, repeats: true) { [bodies = context.bodies] in bodies.tidy() }
        for (index, loop) in loops.enumerated() {
            loop.start(name: "http \(index + 1)")
            let sweeper = Sweeper(on: loop, desk.connections)
            sweepers.append(sweeper)
            await sweeper.start()
        }
        let turns = LoopTurns(loops)
        for listener in listeners {
            await listener.start(on: loops[0]) { [desk = desk!, isNetwork = listener.isNetwork] descriptor in
                let connection = Connection(descriptor, isNetwork: isNetwork, on: turns.next(), desk)
                Task { await connection.open() }
            }
        }
    }

    private static func files(
        _ configuration: ServeConfiguration
    ) throws(UsageError) -> (ClientTokens?, TLSContext?) {
        let tokens = try configuration.tokenFile.map { path throws(UsageError) in try ClientTokens(file: path) }
        return (tokens, try configuration.tls.map { files throws(UsageError) in try TLSContext(files) })
    }

    /// Reads the tokens and the certificate again, and applies both or neither. Connections whose token is no longer in
    /// the file are closed; the others stay open.
    ///
    /// - Throws: if a file cannot be used; then nothing changes.
    package func reload() throws(UsageError) {
        let (tokens, certificate) = try Self.files(configuration)
        desk.replace(tokens: tokens, certificate: certificate)
        for connection in desk.connections.all { Task { await connection.recheck() } }
    }

    // MARK: The work for others

    /// Starts taking jobs, on a machine that has no clients of its own.
    package func beginWork() { context.readiness = .ready }

    /// Stops taking jobs, and finishes those in progress.
    package func endWork() { context.readiness = .draining }

    // MARK: The end

    /// Continues to accept requests for a while, but reports that it is not ready. Connections end with their next
    /// answer.
    package func drain() async {
        if configuration.drainTime == 0 { return }
        context.readiness = .draining
        desk.become(.draining)
        Activation.notify("STOPPING=1")
        try? await Task.sleep(for: .seconds(configuration.drainTime))
    }

    /// Stops accepting requests and waits for those in progress. After the timeout, cancels the rest, which also get an
    /// answer.
    package func stop() async {
        if isStopping { return }
        context.isStopping = true
        desk.become(.stopping)
        Activation.notify("STOPPING=1")
        for listener in listeners { await listener.close() }
        // From now on, nothing could end a suspension.
        let isSuspended = context.renderer.isSuspended
        await forAll { connection in
            await connection.closeIfIdle()
            await connection.cancel(all: isSuspended)
        }
        await settle(within: configuration.stopTimeout)
        await forAll { await $0.cancel(all: true) }
        await settle(within: 1)
        await forAll { await $0.close() }
        tidying = nil
        for sweeper in sweepers { await sweeper.end() }
        sweepers = []
        for loop in loops { loop.end() }
        log?.flush()
    }

    private func forAll(_ body: @Sendable (Connection) async -> Void) async {
        for connection in desk.connections.all { await body(connection) }
    }

    /// Waits until nothing is in progress.
    private func settle(within seconds: Double) async {
        let end = ContinuousClock.now + .seconds(seconds)
        while context.statistics.underWay > 0, ContinuousClock.now < end {
            await forAll { await $0.closeIfIdle() }
            try? await Task.sleep(for: .milliseconds(10))
        }
    }
}
