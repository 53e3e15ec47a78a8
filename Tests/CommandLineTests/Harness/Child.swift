import CTestSpawn
import Foundation

/// A program that runs beside the test: in a process group of its own, with nothing of ours but three pipes.
///
/// Not Foundation's `Process`, which knows no process groups. One thread reads and writes all pipes, so that none can fill
/// up while another is waited for.
final class Child {
    struct Failure: Error, CustomStringConvertible { var description: String }

    let id: pid_t
    private var stdin: (descriptor: Int32, rest: Data)
    private var holdsInput: Bool
    /// Bytes that went into standard input so far.
    private(set) var sent = 0
    private var pipes: [(descriptor: Int32, data: Data)]
    private var status: Int32?
    private let cache: String

    /// - Parameter holdsInput: standard input stays open, for `send`, until `endInput`.
    init(
        _ arguments: [String], stdin: Data = Data(), holdsInput: Bool = false, environment: [String: String?] = [:],
        folder: String
    ) throws {
        _ = Self.ignoresBrokenPipes
        let (input, output, error) = (try Self.pipe(), try Self.pipe(), try Self.pipe())
        var variables = ProcessInfo.processInfo.environment
        // No picture from another test, nor from the user's own cache.
        cache = NSTemporaryDirectory() + "offstage-test-cache-\(UUID().uuidString)"
        variables["XDG_CACHE_HOME"] = cache
        // Nor the settings of the person who runs the tests, or the terminal's.
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

    /// A program that ends before it has read everything must not end the tests; the children get all signals as
    /// before.
    private static let ignoresBrokenPipes: Void = { signal(SIGPIPE, SIG_IGN) }()

    deinit {
        // A test that failed half way leaves nothing running.
        // Without an id it was never started, and the group 0 would be our own.
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

    /// More for standard input; it goes there while something is waited for.
    func send(_ text: String) { stdin.rest.append(contentsOf: Data(text.utf8)) }

    /// Standard input ends after the bytes that were sent.
    func endInput() {
        holdsInput = false
        if stdin.rest.isEmpty { closeInput() }
    }

    /// Nobody reads standard output any more.
    func closeOutput() {
        close(pipes[0].descriptor)
        pipes[0].descriptor = -1
    }

    /// Waits for the program's end.
    ///
    /// - Throws: `Failure` if it does not end; it is killed.
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

    /// True once the program has ended; feeds and empties its pipes meanwhile.
    var hasEnded: Bool {
        if status != nil { return true }
        exchange()
        var raw: Int32 = 0
        if waitpid(id, &raw, WNOHANG) == id { status = raw }
        return status != nil
    }

    /// Moves what can be moved through the pipes now.
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

/// Seconds until a test gives something up that never happens. It only ends a hang: no test's outcome depends on how long it is.
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
