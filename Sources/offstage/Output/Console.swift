import Foundation
import Offstage
import OffstageRequests
import Synchronization

/// What the user reads: results on standard output, everything else on standard error.
enum Console {
    /// Standard error's descriptor, or that of what was standard error at the start.
    private static let errors = Atomic(STDERR_FILENO)

    static var isTerminal: Bool { isatty(errors.load(ordering: .relaxed)) == 1 }

    /// Standard error has become something else; it stays open under this descriptor.
    static func sayErrors(on descriptor: Int32) { errors.store(descriptor, ordering: .relaxed) }

    /// Puts /dev/null where the program was started without standard input, output or error; the next file that is opened
    /// would get its number otherwise, and our lines. Call it first of all.
    static func openMissing() {
        while case let descriptor = open("/dev/null", O_RDWR), descriptor >= 0 {
            if descriptor > STDERR_FILENO {
                Foundation.close(descriptor)
                return
            }
        }
    }

    /// A line on standard output.
    static func print(_ line: String) throws(FileError) { try print(Data((line + "\n").utf8)) }

    /// Bytes on standard output. Results that nobody gets are a failure, unlike what is said on standard error.
    static func print(_ data: Data) throws(FileError) {
        let code = write(data, to: STDOUT_FILENO)
        if code != 0 { throw FileError("write", path: "standard output", code: code) }
    }

    /// A line on standard error, with the program's name.
    static func error(_ message: String) { line("offstage: \(message)") }

    /// A line on standard error. It may name files and quote documents: no control character of theirs reaches a terminal or a
    /// log.
    static func line(_ text: String) { status(text.printable + "\n") }

    /// Text on standard error as it is, for the program's own control characters: nothing untrusted.
    static func status(_ text: String) { _ = write(Data(text.utf8), to: errors.load(ordering: .relaxed)) }

    private static let isClosed = Atomic(false)

    /// Nothing is written any more.
    static func close() { isClosed.store(true, ordering: .relaxed) }

    /// - Returns: 0, or what stopped it, an `errno`.
    private static func write(_ data: Data, to descriptor: Int32) -> Int32 {
        if isClosed.load(ordering: .relaxed) { return ECANCELED }
        return writeAll(data, to: descriptor)
    }
}
