import CTestSpawn
import Foundation

/// A program that runs beside the test in its own process group. It shares only three pipes with us.
///
/// Foundation's `Process` does not support process groups. A single thread reads and writes all pipes, so that none
/// fills up while the test waits for another.
final class Child {
    struct Failure: Error, CustomStringConvertible { var description: String }

    let id: pid_t
    private var stdin: (descriptor: Int32, rest: Data)
    private var holdsInput: Bool
    /// The number of bytes written to standard input so far.
    private(set) var sent = 0
    private var pipes: [(descriptor: Int32, data: Data)]
    private var status: Int32?
    private let cache: String

    /// - Parameter holdsInput: whether standard input stays open for `send` until `endInput`.
    init(
        _ arguments: [String], stdin: Data = Data(), holdsInput: Bool = false, environment: [String: String?] = [:],
        folder: String
    ) throws {
        _ = Self.ignoresBrokenPipes
        let (input, output, error) = (try Self.pipe(), try Self.pipe(), try Self.pipe())
        var variables = ProcessInfo.processInfo.environment
        // An empty cache, without pictures from other tests or from the user's own cache.
        cache = NSTemporaryDirectory() + "offstage-test-cache-\(UUID().uuidString)"
        variables["XDG_CACHE_HOME"] = cache
        // Neither the user's settings nor those of the terminal apply.
        variables["OFFSTAGE_CONFIG"] = ""
        variables["TERM"] = "xterm"
        variables["NO_COLOR"] = nil
        for (name, value) in environment { variables[name] = value }
        var argv = arguments.map { strdup($0) } + [nil]
        var envp = variables.map { strdup("\($0)=\($1)") } + [nil]
        defer { for string in argv + envp { free(string) } }
        var id: pid_t = 0
        let places = [input.read, output.write, error.write]
        let code = test_spawn(&id, &argv, &envp, folder, places)
        for end in places { close(end) }
        self.id = id
        self.stdin = (input.write, stdin)
        self.holdsInput = holdsInput
        pipes = [(output.read, Data()), (error.read, Data())]
        if code != 0 { throw Failure(description: "\(arguments[0]): \(String(cString: strerror(code)))") }
        for end in [input.write, output.read, error.read] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        if stdin.isEmpty, !holdsInput { closeInput() }
    }

    /// A program that ends before it has read everything must not end the tests. The children still receive all
    /// signals.
    private static let ignoresBrokenPipes: Void = { signal(SIGPIPE, SIG_IGN) }()

    deinit {
        // A test that fails halfway leaves no process running.
        // Without an id, the program was never started, and group 0 would be our own.
        if status == nil, id > 0 {
            kill(-id, SIGKILL)
            waitpid(id, nil, 0)
        }
        closeInput()
        for pipe in pipes where pipe.descriptor >= 0 { close(pipe.descriptor) }
        try? FileManager.default.removeItem(atPath: cache)
    }

    private static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard test_pipe(&ends) == 0 else { throw Failure(description: "no more pipes") }
        return (ends[0], ends[1])
    }

    private func closeInput() {
        if stdin.descriptor >= 0 { close(stdin.descriptor) }
        stdin.descriptor = -1
    }

    /// Adds data to standard input, which is written while the test waits for something.
    func send(_ text: String) { stdin.rest.append(contentsOf: Data(text.utf8)) }

    /// Closes standard input after the data that was sent.
    func endInput() {
        holdsInput = false
        if stdin.rest.isEmpty { closeInput() }
    }

    /// Closes standard output, so that nobody reads it any more.
    func closeOutput() {
        close(pipes[0].descriptor)
        pipes[0].descriptor = -1
    }

    /// Waits until the program ends.
    ///
    /// - Throws: `Failure` if the program does not end and is killed.
    func wait() throws -> Outcome {
        guard eventually({ hasEnded }) else {
            throw Failure(description: "not over after \(patience) s; standard error: \(text(1).suffix(2000))")
        }
        exchange()
        let raw = status!
        let signal = raw & 0x7F
        return Outcome(code: signal == 0 ? raw >> 8 & 0xFF : 128 + signal, output: pipes[0].data, error: text(1))
    }

    /// The standard output (0) or standard error (1) so far.
    func text(_ pipe: Int) -> String { String(decoding: pipes[pipe].data, as: UTF8.self) }

    /// Whether the program has ended. Reading this property also feeds and empties the pipes.
    var hasEnded: Bool {
        if status != nil { return true }
        exchange()
        var raw: Int32 = 0
        if waitpid(id, &raw, WNOHANG) == id { status = raw }
        return status != nil
    }

    /// Moves as much data through the pipes as is possible now.
    private func exchange() {
        if stdin.descriptor >= 0, !stdin.rest.isEmpty {
            let count = stdin.rest.withUnsafeBytes { write(stdin.descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                sent += count
                stdin.rest = stdin.rest.dropFirst(count)
            }
            if stdin.rest.isEmpty && !holdsInput || (count < 0 && errno == EPIPE) { closeInput() }
        }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        for index in pipes.indices where pipes[index].descriptor >= 0 {
            while case let count = read(pipes[index].descriptor, &buffer, buffer.count), count > 0 {
                pipes[index].data.append(contentsOf: buffer[..<count])
            }
        }
    }
}

/// The seconds after which a test gives up. This only ends a hang: no test's result depends on the value.
let patience = 120.0

/// Checks every few milliseconds whether something outside this process has become true.
func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(patience)
    while true {
        if try condition() { return true }
        if ContinuousClock.now > end { return false }
        usleep(4000)
    }
}
