import Foundation

/// What the user reads: results on standard output, everything else on standard error.
enum Console {
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// A line on standard output. A reader that went away ends the program quietly, as SIGPIPE would.
    static func print(_ line: String) { write(line + "\n", to: STDOUT_FILENO) }

    /// A line on standard error, with the program's name.
    static func error(_ message: String) { write("offstage: \(message)\n", to: STDERR_FILENO) }

    /// Text on standard error as it is.
    static func status(_ text: String) { write(text, to: STDERR_FILENO) }

    private static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { return }
            bytes = bytes.dropFirst(count)
        }
    }
}
