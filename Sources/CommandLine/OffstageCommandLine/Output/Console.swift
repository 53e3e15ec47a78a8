import Foundation
import Offstage
import OffstageRequests
import Synchronization

/// Output for the user: results on standard output, everything else on standard error.
package enum Console {
    /// The descriptor of standard error, or of the original standard error after it was replaced.
    private static let errors = Atomic(STDERR_FILENO)

    static var isTerminal: Bool { isatty(errors.load(ordering: .relaxed)) == 1 }

    /// The kind of a message, for its colour.
    package enum Kind { case note, warning, error }

    /// Call it after replacing standard error. The original stays open under this descriptor.
    static func sayErrors(on descriptor: Int32) { errors.store(descriptor, ordering: .relaxed) }

    /// Opens /dev/null if the program was started without standard input, output or error: otherwise the next file to
    /// be opened would get the descriptor, and would receive our output. Call it before anything else.
    static func openMissing() {
        while case let descriptor = open("/dev/null", O_RDWR), descriptor >= 0 {
            if descriptor > STDERR_FILENO {
                Foundation.close(descriptor)
                return
            }
        }
    }

    /// Keeps child processes from inheriting descriptors that the program was started with, other than the standard
    /// ones: the caller's files are not for them. Call it before any child starts.
    static func keepDescriptors() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        for number in names.compactMap({ Int32($0) }) where number > STDERR_FILENO {
            _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        }
    }

    /// Prints a line on standard output.
    package static func print(_ line: String) throws(FileError) { try print(Data((line + "\n").utf8)) }

    /// Prints bytes on standard output. A result that cannot be written is an error, unlike a message on standard
    /// error.
    package static func print(_ data: Data) throws(FileError) {
        let code = write(data, to: STDOUT_FILENO)
        // The reader has read enough, like `head`: not worth a message.
        if code == EPIPE { close() }
        if code != 0 { throw FileError("write", path: "standard output", code: code) }
    }

    /// Prints a help text on standard output.
    static func print(help text: String) throws(FileError) { try print(Terminal.output.help(text)) }

    /// Prints a line on standard error, with the program's name.
    package static func error(_ message: String, as kind: Kind = .note) {
        let terminal = Terminal(errors.load(ordering: .relaxed))
        let name = "offstage:"
        let mark =
            switch kind {
            case .note: name
            case .warning: terminal.colored(name, .yellow)
            case .error: terminal.colored(name, .red)
            }
        status("\(mark) \(message.printable)\n")
    }

    /// Prints a line on standard error. It may name files and quote documents, so control characters are escaped for
    /// terminals and logs.
    package static func line(_ text: String) { status(text.printable + "\n") }

    /// Prints unchanged text on standard error, for the program's own control characters. Never pass untrusted text.
    package static func status(_ text: String) { _ = write(Data(text.utf8), to: errors.load(ordering: .relaxed)) }

    private static let isClosed = Atomic(false)

    /// Stops all output.
    static func close() { isClosed.store(true, ordering: .relaxed) }

    /// - Returns: 0, or the `errno` of the failure.
    private static func write(_ data: Data, to descriptor: Int32) -> Int32 {
        if isClosed.load(ordering: .relaxed) { return ECANCELED }
        return writeAll(data, to: descriptor)
    }
}
