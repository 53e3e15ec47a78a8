import Foundation
import Testing

/// The program under test, run as a user would run it.
enum Offstage {
    /// `make test` sets this to the release program, which users run and which takes half as long as the debug
    /// program.
    static let path = ProcessInfo.processInfo.environment["OFFSTAGE_TEST_PROGRAM"] ?? program("offstage")

    /// The path of a program beside the test bundle, where the package manager puts both.
    static func program(_ name: String) -> String {
        let arguments = CommandLine.arguments.map { URL(fileURLWithPath: $0) }
        let bundle = arguments.first { $0.pathExtension == "xctest" } ?? Bundle.main.bundleURL
        let folders = [bundle.deletingLastPathComponent(), Bundle.module.bundleURL.deletingLastPathComponent()]
        let places = folders.map { $0.appendingPathComponent(name).path }
        return places.first { access($0, X_OK) == 0 } ?? places[0]
    }

    /// The path of a worker program beside the program under test.
    static func worker(_ name: String) -> String {
        URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent(name).path
    }

    /// Runs the program to its end.
    ///
    /// - Parameters:
    ///   - environment: added to the test's own; nil removes a variable.
    ///   - prefix: a program that runs this one, such as `setpriv`.
    static func run(
        _ arguments: String..., stdin: Data = Data(), environment: [String: String?] = [:], in folder: Folder,
        prefix: [String] = []
    ) throws -> Outcome {
        try Child(prefix + [path] + arguments, stdin: stdin, environment: environment, folder: folder.path).wait()
    }

    static func run(_ command: String, arguments: [String], in folder: Folder) throws -> Outcome {
        try Child(
            [path, command] + arguments, environment: ["XDG_CACHE_HOME": folder.path(".cache")], folder: folder.path
        )
        .wait()
    }

    /// Runs as an ordinary user, so that file permissions apply even if the tests run as root.
    static let asOrdinaryUser: [String] =
        getuid() == 0
        ? ["/usr/bin/setpriv", "--bounding-set=-dac_override,-dac_read_search"] : []
}

/// The results of a finished program.
struct Outcome {
    /// As in a shell: 128 plus the signal's number if a signal ended the program.
    var code: Int32
    var output: Data
    var error: String

    var text: String { String(decoding: output, as: UTF8.self) }
    var errorLines: [String] { error.split(separator: "\n").map(String.init) }
    /// The objects of `--json`, one per line.
    var objects: [[String: Any]] {
        get throws {
            try text.split(separator: "\n").map {
                try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
            }
        }
    }
}
