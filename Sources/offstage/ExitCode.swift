import Foundation

/// What the program tells its caller by its end; `--help` lists them.
enum ExitCode: Int32 {
    /// All drawn.
    case success = 0
    /// Some failed; the rest are there.
    case someFailed = 1
    /// The command line asks for something that cannot be; nothing was drawn.
    case wrongUse = 2
    /// The machine lacks something.
    case machineLacks = 3
}

func exit(with code: ExitCode) -> Never { exit(code.rawValue) }

/// A command line that asks for something that cannot be.
struct UsageError: Error, CustomStringConvertible {
    /// What is wrong and what to do, in a sentence without its full stop.
    var description: String

    init(_ description: String) { self.description = description }
}
