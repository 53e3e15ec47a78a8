import Foundation

/// The exit codes of the program; `--help` and the man page list them.
enum ExitCode: Int32, CaseIterable {
    /// All pictures are finished.
    case success = 0
    /// Some pictures failed; the others are finished.
    case someFailed = 1
    /// The command line is invalid; nothing was drawn.
    case wrongUse = 2
    /// The machine lacks something.
    case machineLacks = 3

    var meaning: String {
        switch self {
        case .success: "all pictures are finished"
        case .someFailed: "some pictures failed; the others are finished"
        case .wrongUse: "usage error; nothing was rendered"
        case .machineLacks: "the machine lacks something that is needed"
        }
    }
}

func exit(with code: ExitCode) -> Never { exit(code.rawValue) }
