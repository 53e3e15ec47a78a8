import Foundation
import Offstage
import OffstageRequests
import OffstageService
import OffstageShared
import OffstageWebKit

/// `render --via`: other machines draw, and this one finds their pictures and writes the files.
final class ViaRun: Sendable {
    let shelf: PostgresShelf
    private let remote: RemoteRequests
    /// The requests that are on their way at once. More would only wait in the database.
    static let window = 400
    /// A document's files may name others, such as a style sheet's fonts; each step costs a drawing.
    private static let mostSteps = 5

    init(_ address: SharedAddress) {
        let identity = NodeIdentity(machineClass: "", parts: [], slots: 0, version: CommandLineTool.version)
        shelf = PostgresShelf(address, identity) { Console.error($0) }
        remote = RemoteRequests(shelf)
    }

    /// Takes the class of the machines that draw with this machine's engine and fonts.
    ///
    /// - Throws: `UsageError` if none is live; `SharedError`.
    func start() async throws {
        let nodes = try await SharedDatabase(shelf.address).nodes().filter { $0.isLive && $0.slots > 0 }
        guard let node = nodes.first(where: { $0.parts.contains(ClassProbe.engine) }) else {
            if nodes.isEmpty {
                throw UsageError("no machine draws for this database; start one with: offstage work --shared URL")
            }
            let names = Set(nodes.map(\.name)).sorted().prefix(5).joined(separator: ", ")
            throw UsageError(
                "no machine draws with the engine and the fonts of this one (\(WebEngine.machineClass)): \(names) have "
                    + "others; compare them with: offstage doctor --shared URL")
        }
        shelf.identify(machineClass: node.machineClass, parts: [])
        try await shelf.start()
    }

    /// Lets a job be drawn, unless its files are cached here or shared. The renderer finds them afterwards.
    ///
    /// - Returns: true if another machine has drawn it for this run.
    func draw(
        _ job: Job, _ request: any DrawingRequest, _ options: RenderOptions, for renderer: Renderer
    ) async throws(RenderError) -> Bool {
        let variants = job.settings.variants
        if options.usesCache, await renderer.hasFiles(for: request, as: variants) { return false }
        var missing = await renderer.differingFiles(for: request, as: variants)
        if options.usesCache, missing == [] { return false }
        func failure(_ reason: DrawingError) -> RenderError {
            RenderError(identifier: request.identifier, reason: reason)
        }
        if let problem = PortableRequest.problem(with: job.settings) { throw failure(.invalidRequest(problem)) }
        var portable: PortableRequest
        do { portable = try PortableRequest(try job.input.document(job.settings), job.settings) } catch {
            throw failure(.invalidRequest("\(error)"))
        }
        for _ in 0..<Self.mostSteps {
            for path in missing ?? [] where portable.files[path] == nil {
                if let data = await Self.file(path, of: request) { portable.add(data, at: path) }
            }
            let sent = portable
            let outcome = await patiently { await self.remote.drawn(sent, request, variants, options, for: renderer) }
            if let problem = self.problem(with: outcome) { throw failure(problem) }
            missing = await renderer.differingFiles(for: request, as: variants)
            if missing?.isEmpty ?? true { return true }
        }
        throw failure(
            .invalidRequest("its files changed while it was drawn, or it loads too many one after the other"))
    }

    private func problem(with outcome: SharedOutcome?) -> DrawingError? {
        switch outcome {
        case nil:
            .invalidRequest(
                "with its files it is larger than \(PostgresShelf.largestRequest) bytes; render it without --via")
        case .failed(let reason): reason
        case .noSuchMachine: .invalidRequest("no machine of class \(shelf.machineClass) is live any more")
        case .full: .queueFull(limit: PostgresShelf.mostWaiting)
        case .unavailable(let error): .invalidRequest("\(error)")
        case .drawn: nil
        }
    }

    /// The times until the next attempt, seconds. Without PostgreSQL a run waits; `--run-timeout` and Ctrl-C end it.
    private static let pauses = [0.5, 1, 2, 4]
    /// After an absence of PostgreSQL, the machines have to sign on again.
    private static let attemptsWithoutMachine = 8

    private func patiently(_ body: () async -> SharedOutcome?) async -> SharedOutcome? {
        var attempts = 0
        while true {
            let outcome = await body()
            switch outcome {
            case .unavailable(let error) where error.isPassing: break
            case .noSuchMachine where attempts < Self.attemptsWithoutMachine: break
            default: return outcome
            }
            let pause = Self.pauses[min(attempts, Self.pauses.count - 1)]
            attempts += 1
            guard (try? await Task.sleep(for: .seconds(pause))) != nil else { return .failed(.cancelled) }
        }
    }

    private static func file(_ path: String, of request: any DrawingRequest) async -> Data? {
        guard let base = (request as? Snippet)?.base else { return nil }
        return try? await base.resource(at: path)
    }

    func stop() async { await shelf.stop() }
}
