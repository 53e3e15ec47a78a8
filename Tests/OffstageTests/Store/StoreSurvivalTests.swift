import Foundation
import Samples
import Testing

@testable import Offstage

/// Killed processes, full disks and read-only disks.
struct StoreSurvivalTests {
    private let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    /// Kills a process while it and another one are writing, again and again. `KILLS` sets how often.
    @Test func killed() async throws {
        let count = ProcessInfo.processInfo.environment["KILLS"].flatMap { Int($0) } ?? 50
        // Alternates between a process that writes many pictures at a time and one that draws them as a host does.
        func writer(_ seed: Int) throws -> StoreProgram {
            try StoreProgram(seed % 4 < 2 ? "write" : "redraw", folder.path, "\(seed)")
        }
        var writers = [try writer(1), try writer(2)]
        for round in 0..<count {
            let victim = round % 2
            try writers[victim].waitForBytes(1 + round % 2)
            writers[victim].kill()
            writers[victim] = try writer(round + 3)
        }
        for writer in writers { writer.kill() }
        let store = PictureStore(folder: folder.path, limits: StoreLimits(freeBytes: 0))
        let report = await store.verify()
        #expect(report.isWhole && report.checked > 60, "\(report)")
        try await compareWithFreshDrawings(store)
        // No process had to start over.
        #expect(try !folder.names().contains("pictures.damaged.sqlite"))
    }

    /// Checks that every picture equals a new drawing, byte for byte or pixel for pixel.
    private func compareWithFreshDrawings(_ store: PictureStore) async throws {
        let engine = SampleEngine()
        let contents = (0..<SampleRow.contents).map { (engine.fingerprint(of: SampleRow(0, content: $0)), $0) }
        let contentOf = Dictionary(uniqueKeysWithValues: contents)
        let renderer = Renderer(engine: engine)
        let pictures = await store.pictures(for: await store.entries().map(\.key))
        var (written, drawn) = (0, 0)
        for (key, picture) in pictures {
            if key.variant == "full.png" {
                written += 1
                #expect(Sample.isRight(picture, for: key), "\(key)")
            } else {
                drawn += 1
                let content = try #require(contentOf[picture.info.fingerprint], "\(key)")
                let kept = try #require(PNGDecoder.decode(picture.data, isOpaque: picture.info.isOpaque), "\(key)")
                let fresh = try await renderer.picture(for: SampleRow(0, content: content)).pixmap
                #expect(kept.size == fresh.size)
                #expect(
                    (0..<fresh.size.height).allSatisfy { y in
                        kept.withRow(y) { Array($0) } == fresh.withRow(y) { Array($0) }
                    }, "\(key)")
            }
        }
        #expect(written > 30 && drawn > 10, "\(written) written, \(drawn) drawn")
        await renderer.finish()
    }

    /// The disk has space and the cache leaves the configured part of it free, so it shrinks only because of the
    /// limit.
    @Test func aDiskWithLittleLeft() throws {
        let outcome = try inNamespace(
            """
            mount -t tmpfs -o size=32m,mode=0700 none "$1" || exit 99
            "$0" fill "$1" 2200 16 && df --output=avail -B1 "$1" | tail -1
            """)
        #expect(outcome.code == 0, "\(outcome.text)")
        let counts = try #require(outcome.text.wholeMatch(of: #/kept (\d+), found (\d+)\n(\d+)\n/#), "\(outcome.text)")
        let (found, free) = (try #require(Int(counts.2)), try #require(Int(counts.3)))
        #expect(free >= 16 << 20, "\(free)")
        // No more than necessary was evicted: the size is close to half.
        #expect(free < 20 << 20, "\(free)")
        #expect((700..<2000).contains(found), "\(outcome.text)")
    }

    /// A disk of 1 MiB in a mount namespace, which disappears with its last process.
    @Test func aFullDisk() throws {
        let outcome = try inNamespace(
            """
            mount -t tmpfs -o size=1m,mode=0700 none "$1" || exit 99
            "$0" fill "$1" 200
            """)
        #expect(outcome.code == 0, "\(outcome.text)")
        let counts = try #require(outcome.text.firstMatch(of: #/kept (\d+), found (\d+)\n/#))
        let kept = try #require(Int(counts.1))
        #expect((1..<150).contains(kept), "\(outcome.text)")
        #expect(counts.1 == counts.2)
        #expect(outcome.text.split(separator: "\n").count == 2)
        #expect(outcome.text.contains("full: the cache \(folder.path) stores nothing more: "))
    }

    @Test func noRoomToBeginWith() throws {
        let outcome = try inNamespace(
            """
            mount -t tmpfs -o size=8k,mode=0700 none "$1" && dd if=/dev/zero of="$1/other" bs=8k count=1 2>/dev/null
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
                Read-only file system; choose another path

                """)
        #expect(try run("check", folder.path).code == 0)
    }

    /// A path where no folder can be created.
    @Test func aFileInTheFoldersPlace() async throws {
        try Data([1]).write(to: URL(fileURLWithPath: folder.file("a")))
        let events = Events()
        let store = PictureStore(folder: folder.file("a/b")) { events.note($0) }
        #expect(await store.picture(for: .full("a")) == nil)
        #expect(await !store.store(.sample("a"), for: .full("a")))
        #expect(events.warnings == [.unavailable])
        #expect(await store.statistics() == StoreStatistics(counters: store.counters))
    }

    private func inNamespace(_ script: String) throws -> (code: Int32, text: String) {
        let asRoot = getuid() == 0 ? [] : ["-r"]
        return try StoreProgram(
            "/usr/bin/env", ["unshare", "-m"] + asRoot + ["sh", "-c", script, StoreProgram.path, folder.path]
        ).wait()
    }

    private func run(_ arguments: String...) throws -> (code: Int32, text: String) {
        try StoreProgram(arguments).wait()
    }
}
