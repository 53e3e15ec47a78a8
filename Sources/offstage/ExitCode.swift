import Foundation

/// What the program tells its caller by its end; `--help` and the man page list them.
enum ExitCode: Int32, CaseIterable {
    /// All drawn.
    case success = 0
    /// Some failed; the rest are there.
    case someFailed = 1
    /// The command line asks for something that cannot be; nothing was drawn.
    case wrongUse = 2
    /// The machine lacks something.
    case machineLacks = 3

    var meaning: String {
        switch self {
        case .success: "all pictures are finished"
        case .someFailed: "some pictures failed; the others are finished"
        case .wrongUse: "wrong use; nothing was rendered"
        case .machineLacks: "the machine lacks something that is needed"
        }
    }
}

func exit(with code: ExitCode) -> Never { exit(code.rawValue) }
