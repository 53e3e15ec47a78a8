import Foundation
import Testing

@testable import Offstage

/// Processes that are killed, disks that are full or read-only.
struct StoreSurvivalTests {
    private let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    /// In the middle of writing, with another process writing, again and again. `KILLS` sets how often.
    @Test func killed() throws {
        let count = ProcessInfo.processInfo.environment["KILLS"].flatMap { Int($0) } ?? 50
        var writers = [try Writer(folder.path, seed: 1), try Writer(folder.path, seed: 2)]
        for round in 0..<count {
            let victim = round % 2
            try writers[victim].waitForBatches(1 + round % 2)
            writers[victim].kill()
            writers[victim] = try Writer(folder.path, seed: round + 3)
        }
        for writer in writers { writer.kill() }
        let outcome = try run("check", folder.path)
        #expect(outcome.code == 0, "\(outcome.text)")
        #expect(outcome.text.wholeMatch(of: #/\d\d pictures, 0 damaged, 0 wrong\n/#) != nil, "\(outcome.text)")
        // Nor had anybody to begin anew.
        #expect(try !folder.names().contains("pictures.damaged.sqlite"))
    }

    /// 1 MiB in a mount namespace, which goes away with its last process.
    @Test func aFullDisk() throws {
        let outcome = try inNamespace(
            """
            mount -t tmpfs -o size=1m none "$1" || exit 99
            "$0" fill "$1" 200
            """)
        #expect(outcome.code == 0, "\(outcome.text)")
        let counts = try #require(outcome.text.firstMatch(of: #/kept (\d+), found (\d+)\n/#))
        let kept = try #require(Int(counts.1))
        #expect((1..<150).contains(kept), "\(outcome.text)")
        #expect(counts.1 == counts.2)
        #expect(outcome.text.split(separator: "\n").count == 2)
        #expect(outcome.text.contains("full: the cache \(folder.path) keeps nothing more: "))
    }

    @Test func noRoomToBeginWith() throws {
        let outcome = try inNamespace(
            """
            mount -t tmpfs -o size=8k none "$1" && dd if=/dev/zero of="$1/other" bs=8k count=1 2>/dev/null
            "$0" fill "$1" 3
            """)
        #expect(outcome.code == 0)
        let lines = outcome.text.split(separator: "\n")
        #expect(lines.first == "kept 0, found 0")
        #expect(lines.count == 2, "\(outcome.text)")
    }

    @Test func aReadOnlyFolder() throws {
        #expect(try run("fill", folder.path, "5").text == "kept 5, found 5\n")
        let outcome = try inNamespace(
            """
            mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" || exit 99
            "$0" fill "$1" 5
            """)
        #expect(outcome.code == 0)
        #expect(
            outcome.text == """
                kept 0, found 0
                unavailable: the cache \(folder.path) is not used: cannot write \(folder.path)/lock: \
                Read-only file system; choose another place

                """)
        #expect(try run("check", folder.path).code == 0)
    }

    /// A place where no folder can be.
    @Test func aFileInTheFoldersPlace() async throws {
        try Data([1]).write(to: URL(fileURLWithPath: folder.file("a")))
        let events = Events()
        let store = ImageStore(folder: folder.file("a/b")) { events.note($0) }
        #expect(await store.picture(for: .full("a")) == nil)
        #expect(await !store.store(.sample("a"), for: .full("a")))
        #expect(events.warnings == [.unavailable])
        #expect(await store.statistics() == StoreStatistics(counters: store.counters))
    }

    private func inNamespace(_ script: String) throws -> (code: Int32, text: String) {
        let asRoot = getuid() == 0 ? [] : ["-r"]
        return try Self.run(
            "/usr/bin/env", ["unshare", "-m"] + asRoot + ["sh", "-c", script, Writer.path, folder.path])
    }

    private func run(_ arguments: String...) throws -> (code: Int32, text: String) {
        try Self.run(Writer.path, arguments)
    }

    private static func run(_ path: String, _ arguments: [String]) throws -> (code: Int32, text: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }
}

/// A process that stores pictures until it is killed.
private final class Writer {
    private let process = Process()
    private let output = Pipe()

    /// Beside the test bundle, where the package manager puts both.
    static let path: String = {
        let arguments = CommandLine.arguments.map { URL(fileURLWithPath: $0) }
        let bundle = arguments.first { $0.pathExtension == "xctest" } ?? Bundle.main.bundleURL
        return bundle.deletingLastPathComponent().appendingPathComponent("StoreWriter").path
    }()

    init(_ folder: String, seed: Int) throws {
        process.executableURL = URL(fileURLWithPath: Self.path)
        process.arguments = ["write", folder, "\(seed)"]
        process.standardOutput = output
        try process.run()
    }

    deinit { kill() }

    struct Ended: Error {}

    /// The writer tells of each 48 pictures by a byte.
    func waitForBatches(_ count: Int) throws {
        var byte: UInt8 = 0
        for _ in 0..<count {
            guard read(output.fileHandleForReading.fileDescriptor, &byte, 1) == 1 else { throw Ended() }
        }
    }

    func kill() {
        guard process.isRunning else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
