import Foundation

/// Runs the program `StoreWriter`, which uses a store in a separate process that a test can kill.
final class StoreProgram {
    private let process = Process()
    private let output = Pipe()

    /// It is beside the test bundle, where the package manager puts both.
    static let path: String = {
        let arguments = CommandLine.arguments.map { URL(fileURLWithPath: $0) }
        let bundle = arguments.first { $0.pathExtension == "xctest" } ?? Bundle.main.bundleURL
        return bundle.deletingLastPathComponent().appendingPathComponent("StoreWriter").path
    }()

    convenience init(_ arguments: String...) throws { try self.init(arguments) }
    convenience init(_ arguments: [String]) throws { try self.init(Self.path, arguments) }

    /// Starts a wrapper program, which runs ours.
    init(_ path: String, _ arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
    }

    deinit { kill() }

    struct Ended: Error {}

    /// Waits for the program to report progress, one byte at a time.
    func waitForBytes(_ count: Int) throws {
        var byte: UInt8 = 0
        for _ in 0..<count {
            guard read(output.fileHandleForReading.fileDescriptor, &byte, 1) == 1 else { throw Ended() }
        }
    }

    func wait() throws -> (code: Int32, text: String) {
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }

    func kill() {
        guard process.isRunning else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
