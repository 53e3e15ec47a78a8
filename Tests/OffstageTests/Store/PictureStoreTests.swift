import Foundation
import Testing

@testable import Offstage

/// A stored picture is read back unchanged.
struct PictureStoreTests {
    private let test: TestStore
    init() throws { test = try TestStore() }

    @Test(arguments: [1, 1000, 20_000, 511 << 10, 3 << 20])
    func aPictureComesBack(_ count: Int) async {
        let store = test.open()
        let picture = StoredPicture.sample("a", count: count)
        #expect(await store.picture(for: .full("a")) == nil)
        #expect(await store.store(picture, for: .full("a")))
        #expect(await store.picture(for: .full("a")) == picture)
        #expect(await store.picture(for: PictureKey("a", variant: "thumb.png")) == nil)
        #expect(await test.open().picture(for: .full("a")) == picture)
        #expect(store.counters == StoreCounters(hits: 1, misses: 2, stored: 1))
        #expect(test.largeFiles.count == (count >= 512 << 10 ? 1 : 0))
        let stored = await store.picture(for: .full("a"))
        #expect(stored?.info.fingerprint.parts == picture.info.fingerprint.parts)
        #expect(test.events.all.isEmpty)
    }

    /// Even in a folder that other users can read, they cannot read the files.
    @Test func theFilesAreThisAccountsAlone() async throws {
        let previous = umask(0o022)
        defer { umask(previous) }
        try FileManager.default.createDirectory(
            atPath: test.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        for isFirst in [true, false] {
            if !isFirst { chmod(test.databasePath, 0o644) }
            let store = test.open()
            #expect(await store.store(.sample("a", count: 1 << 20), for: .full("a\(isFirst)")))
            let names = try FileManager.default.contentsOfDirectory(atPath: test.path)
            for name in names {
                var info = stat()
                #expect(stat("\(test.path)/\(name)", &info) == 0)
                #expect(info.st_mode & 0o077 == 0, "\(name)")
            }
            // Large pictures are in a folder beside the database.
            #expect(names.count > 4)
        }
        #expect(test.events.all.isEmpty)
    }

    /// Other users could have put pictures into it.
    @Test func aDatabaseThatOthersCanWriteIsNotUsed() async throws {
        #expect(await test.open().store(.sample("a"), for: .full("a")))
        chmod(test.databasePath, 0o666)
        let store = test.open()
        #expect(await store.picture(for: .full("a")) == nil)
        #expect(await !store.store(.sample("b"), for: .full("b")))
        #expect("\(test.events.all)".contains("other accounts can write to it; `chmod go-w` it"))
        chmod(test.databasePath, 0o600)
        #expect(await test.open().picture(for: .full("a")) == .sample("a"))
    }

    @Test(arguments: ["", "a'b", "日本/語", "a\nb", "a\0b", "%_", String(repeating: "x", count: 5000)])
    func anyIdentifier(_ identifier: String) async {
        let store = test.open()
        let picture = StoredPicture.sample(identifier)
        #expect(await store.store(picture, for: .full(identifier)))
        #expect(await store.picture(for: .full(identifier)) == picture)
        #expect(await store.entries().map(\.key) == [.full(identifier)])
    }

    @Test func aNewPictureReplacesTheOldOne() async throws {
        let store = test.open()
        await store.store(.sample("old", count: 1 << 20), for: .full("a"))
        await store.store(.sample("new"), for: .full("a"))
        #expect(await store.picture(for: .full("a")) == .sample("new"))
        #expect(await store.statistics().contents == 1)
        #expect(test.largeFiles.isEmpty)
    }

    /// A program may remove its folder when it ends; the store's pending work must not create it again.
    @Test func aRemovedFolderStaysAway() async throws {
        let store = test.open()
        await store.store(.sample("a"), for: .full("a"))
        // A use that has not been written yet.
        #expect(await store.picture(for: .full("a")) != nil)
        try FileManager.default.removeItem(atPath: test.path)
        await store.finish()
        await store.trim()
        #expect(access(test.path, F_OK) != 0)
        #expect(await store.store(.sample("a"), for: .full("a")))
        #expect(await store.picture(for: .full("a")) == .sample("a"))
    }

    /// Another process sees a picture as soon as it has been stored.
    @Test func twoProcesses() async {
        let (one, other) = (test.open(), test.open())
        for number in 0..<20 {
            await one.store(.sample("\(number)"), for: .full("a"))
            #expect(await other.picture(for: .full("a")) == .sample("\(number)"))
        }
    }

    @Test func manyAtOnce() async {
        let store = test.open()
        let keys = (0..<1000).map { PictureKey.full("row/\($0)") }
        await store.store(keys.map { ($0, .sample($0.identifier)) })
        let found = await store.pictures(for: keys + [.full("other")])
        #expect(found.count == 1000)
        #expect(keys.allSatisfy { found[$0] == .sample($0.identifier) })
        let records = await store.records(for: keys)
        #expect(keys.allSatisfy { records[$0]?.content == Digest(of: StoredPicture.sample($0.identifier).data) })
    }

    @Test func equalBytesAreKeptOnce() async {
        let store = test.open()
        for name in ["a", "b", "c"] { await store.store(.sample("same", count: 1 << 20), for: .full(name)) }
        #expect(await store.statistics().pictures == 3)
        #expect(await store.statistics().contentBytes == 1 << 20)
        await store.remove([.full("a"), .full("b")])
        #expect(await store.picture(for: .full("c")) == .sample("same", count: 1 << 20))
        await store.remove([.full("c")])
        #expect(await store.statistics().contentBytes == 0)
        #expect(test.largeFiles.isEmpty)
    }

    @Test func aPictureOfTheSameUnderAnotherIdentifier() async {
        let store = test.open()
        let picture = StoredPicture.sample("same")
        await store.store(picture, for: .full("a"))
        let fingerprint = picture.info.fingerprint
        #expect(await store.record(fingerprint: fingerprint, variant: "full.png")?.key == .full("a"))
        #expect(await store.record(fingerprint: fingerprint, variant: "thumb.png") == nil)
        #expect(await store.record(fingerprint: StoredPicture.sample("b").info.fingerprint, variant: "full.png") == nil)
    }

    @Test func partsAreReplacedTogether() async {
        let store = test.open()
        func parts(_ count: Int, _ content: String) -> [(key: PictureKey, picture: StoredPicture)] {
            (1...count).map { (.full("a", part: $0), .sample("\(content)\($0)", partCount: count)) }
        }
        await store.store(.sample("whole"), for: .full("a"))
        #expect(await store.parts(of: "a", variant: "full.png").map(\.key) == [.full("a")])
        await store.store(parts(5, "x"))
        #expect(await store.picture(for: .full("a")) == nil)
        #expect(await store.parts(of: "a", variant: "full.png").count == 5)
        await store.store(parts(3, "y"))
        #expect(await store.parts(of: "a", variant: "full.png").map(\.key.part) == [1, 2, 3])
        // One part is missing, so the drawing is incomplete.
        await store.remove([.full("a", part: 3)])
        #expect(await store.parts(of: "a", variant: "full.png").isEmpty)
    }

    @Test func entriesByTheBeginningOfTheirIdentifier() async {
        let store = test.open()
        for name in ["chat/2", "chat/1", "chat", "chats", "mail", "chat/\u{10FFFF}z"] {
            await store.store(.sample(name), for: .full(name))
        }
        let names = await store.entries(prefix: "chat/").map(\.key.identifier)
        #expect(names == ["chat/1", "chat/2", "chat/\u{10FFFF}z"])
        #expect(await store.entries(limit: 2).map(\.key.identifier) == ["chat", "chat/1"])
        #expect(await store.entries().count == 6)
    }

    @Test func whyAPictureIsStale() async throws {
        let store = test.open()
        let picture = StoredPicture.sample("old")
        await store.store(picture, for: .full("a"))
        let same: (String) -> Digest? = { $0 == "img/a b.png" ? Digest(of: "a") : nil }
        let fingerprint = picture.info.fingerprint
        #expect(await store.explain(.full("b"), against: fingerprint, file: same) == .absent)
        guard case .hit = await store.explain(.full("a"), against: fingerprint, file: same) else {
            return #expect(Bool(false), "no hit")
        }
        let new = StoredPicture.sample("new").info.fingerprint
        let explanation = await store.explain(.full("a"), against: new) { _ in Digest(of: "other") }
        guard case .stale(_, let staleness) = explanation else { return #expect(Bool(false), "\(explanation)") }
        #expect(staleness.parts == [Fingerprint.Change(name: "html", kind: .changed)])
        #expect(
            staleness.files == [
                Fingerprint.Change(name: "img/a b.png", kind: .changed),
                Fingerprint.Change(name: "gone\n.css", kind: .added),
            ])
    }

    @Test func clearing() async throws {
        let (store, other) = (test.open(), test.open())
        await store.store([(.full("a"), .sample("a")), (.full("b"), .sample("b", count: 1 << 20))])
        #expect(await other.picture(for: .full("a")) != nil)
        try await store.removeAll()
        for one in [store, other] {
            #expect(await one.picture(for: .full("a")) == nil)
            #expect(await one.statistics().pictures == 0)
        }
        #expect(test.largeFiles.isEmpty)
        await other.store(.sample("c"), for: .full("c"))
        #expect(await store.picture(for: .full("c")) == .sample("c"))
        #expect(await store.verify().isWhole)
    }

    /// The user removes the folder while the program runs.
    @Test func theFolderGoes() async throws {
        let store = test.open()
        await store.store(.sample("a"), for: .full("a"))
        // Renamed in one step: removing file by file could coincide with a write of the store.
        let gone = test.path + "-gone"
        try FileManager.default.moveItem(atPath: test.path, toPath: gone)
        try? FileManager.default.removeItem(atPath: gone)
        #expect(await store.picture(for: .full("a")) == nil)
        #expect(await store.store(.sample("a"), for: .full("a")))
        #expect(await store.picture(for: .full("a")) == .sample("a"))
        #expect(store.isAvailable)
    }

    @Test func theUsersCacheFolder() {
        let folder = PictureStore.defaultFolder
        #expect(folder.hasPrefix("/") && folder.hasSuffix("/offstage"))
    }
}
