import Foundation
import Synchronization

/// Sends malformed requests to a service, which must continue, must not answer with any 5xx status except 503, and
/// must never block its main loop.
///
/// Other programs can also delay a service, so an input is to blame only if it delays the loop each time
/// it is sent on its own.
struct ServeFuzz: Sendable {
    let count: Int
    let seed: UInt64
    let program: String
    /// The inputs to repeat; empty for all.
    var chosen: [Int] = []

    private static let clients = 4
    /// The seconds by which a tick may be late, and the seconds of silence after which a client leaves.
    private static let (patience, silence) = (0.020, 0.2)

    private struct Findings {
        var next = 0
        var statuses: [Int: Int] = [:]
        var wrong: [(input: Int, status: Int)] = []
        /// The inputs in progress, and the inputs that were in progress during a late tick.
        var running: Set<Int> = []
        var suspects: Set<Int> = []
        var ticks: [Double] = []
        var (isOver, isGone) = (false, false)
    }

    /// Returns true if nothing went wrong. Blocks the thread.
    func run() throws -> Bool {
        print("seed \(seed), \(count) inputs")
        let folder = NSTemporaryDirectory() + "offstage-fuzz-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let service = Process()
        service.executableURL = URL(fileURLWithPath: program)
        service.arguments = [
            "serve", "--socket", folder + "/s", "--cache", folder + "/cache", "--jobs", "1", "--idle-timeout", "5",
            "--max-body",
            "1000000", "--no-access-log", "--timeout", "1", "--warm",
        ]
        try service.run()
        defer { if service.isRunning { service.terminate() } }
        let socket = folder + "/s"
        while service.isRunning, Exchange(socket)?.statuses(["GET /readyz"])?.last != 200 { usleep(50_000) }

        let first = play(chosen.isEmpty ? Array(0..<count) : chosen, clients: Self.clients, at: socket)
        let sorted = first.ticks.sorted()
        func part(_ part: Double) -> String {
            sorted.isEmpty ? "-" : String(format: "%.1f", sorted[Int(Double(sorted.count - 1) * part)] * 1000)
        }
        print(
            "answers: "
                + first.statuses.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }.joined(separator: ", "))
        print("main loop late, ms: median \(part(0.5)), p99 \(part(0.99)), at most \(part(1)), \(sorted.count) ticks")
        for wrong in first.wrong { print("input \(wrong.input): answered \(wrong.status)") }
        var late: [String] = []
        for input in first.suspects.sorted() where service.isRunning {
            // A single attempt without a late tick clears the input.
            var least = Double.infinity
            for _ in 0..<40 where least > Self.patience {
                least = min(least, play([input], clients: 1, silence: 0.02, at: socket).ticks.max() ?? 0)
            }
            if least > Self.patience { late.append("\(input) by \(Int(least * 1000)) ms") }
        }
        let blame = late.isEmpty ? "none delays" : "these delay"
        print("\(first.suspects.count) inputs were sent while a tick was late; \(blame) the loop alone \(late)")
        let isAlive = service.isRunning && !first.isGone
        if !isAlive { print("the service ended, or answered no more; inputs in progress: \(first.running.sorted())") }
        if service.isRunning {
            service.terminate()
            service.waitUntilExit()
        }
        let code = service.terminationStatus
        if code != 0 { print("the service ended with \(code)") }
        return isAlive && first.wrong.isEmpty && late.isEmpty && code == 0
    }

    /// Sends inputs on several connections at once, while another connection ticks.
    private func play(_ inputs: [Int], clients: Int, silence: Double = silence, at socket: String) -> Findings {
        let state = Shared(Findings())
        let group = DispatchGroup()
        let work = DispatchGroup()
        for _ in 0..<clients {
            start(in: [group, work]) {
                while let input = state.change({ findings -> Int? in
                    guard findings.next < inputs.count, !findings.isGone else { return nil }
                    defer { findings.next += 1 }
                    findings.running.insert(inputs[findings.next])
                    return inputs[findings.next]
                }) {
                    let statuses = send(input, silence, to: socket)
                    state.change { findings in
                        if statuses == nil {
                            findings.isGone = true
                            return
                        }
                        findings.running.remove(input)
                        for status in statuses ?? [] {
                            findings.statuses[status, default: 0] += 1
                            if status >= 500, status != 503 { findings.wrong.append((input, status)) }
                        }
                    }
                }
            }
        }
        start(in: [group]) {
            guard let exchange = Exchange(socket) else { return }
            while !state.change({ $0.isOver || $0.isGone }) {
                let running = state.change { $0.running }
                let start = ContinuousClock.now
                guard exchange.tick() else { return state.change { $0.isGone = true } }
                let seconds = start.duration(to: .now) / .seconds(1)
                state.change { findings in
                    findings.ticks.append(seconds)
                    if seconds > Self.patience { findings.suspects.formUnion(running.union(findings.running)) }
                }
                usleep(2000)
            }
        }
        work.wait()
        state.change { $0.isOver = true }
        group.wait()
        return state.change { $0 }
    }

    private func start(in groups: [DispatchGroup], _ body: @escaping @Sendable () -> Void) {
        for group in groups { group.enter() }
        Thread.detachNewThread {
            body()
            for group in groups { group.leave() }
        }
    }

    /// - Returns: the statuses of all answers; nil if no service is listening.
    private func send(_ input: Int, _ silence: Double, to socket: String) -> [Int]? {
        guard let exchange = Exchange(socket) else { return nil }
        var grammar = ServeGrammar(seed: seed, number: input)
        for piece in grammar.next() where !exchange.send(piece) { break }
        return exchange.read(silence: silence)
    }

    private final class Shared: Sendable {
        private let findings: Mutex<Findings>

        init(_ findings: Findings) { self.findings = Mutex(findings) }

        func change<Result: Sendable>(_ body: (inout Findings) -> Result) -> Result { findings.withLock { body(&$0) } }
    }
}

/// A connection to the service, used by one thread.
private final class Exchange {
    private let file: Int32

    init?(_ path: String) {
        file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let code = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        setPatience(10)
        if code != 0 { return nil }
    }

    deinit { close(file) }

    private func setPatience(_ seconds: Double) {
        var patience = timeval(tv_sec: Int(seconds), tv_usec: Int(seconds.truncatingRemainder(dividingBy: 1) * 1e6))
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(file, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.send(file, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count <= 0 { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Reads until the end, or until nothing has arrived for this many seconds.
    func read(silence: Double) -> [Int] {
        setPatience(silence)
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = recv(file, &buffer, buffer.count, 0), count > 0 {
            if received.count < 4 << 20 { received += buffer[..<count] }
        }
        let marker = Array("HTTP/1.1 ".utf8)
        var (statuses, rest): ([Int], ArraySlice<UInt8>) = ([], received[...])
        while let place = rest.firstRange(of: marker) {
            rest = rest[place.upperBound...]
            if let status = Int(String(decoding: rest.prefix(3), as: UTF8.self)) { statuses.append(status) }
        }
        return statuses
    }

    func statuses(_ lines: [String]) -> [Int]? {
        for line in lines where !send(Array("\(line) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)) {
            return nil
        }
        return read(silence: 10)
    }

    /// Sends a request to the main loop and waits for the answer.
    func tick() -> Bool {
        guard send(Array("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)) else { return false }
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1000)
        while !received.ends(with: "ok\n") {
            let count = recv(file, &buffer, buffer.count, 0)
            if count <= 0 { return false }
            received += buffer[..<count]
        }
        return true
    }
}

extension [UInt8] {
    fileprivate func ends(with text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
