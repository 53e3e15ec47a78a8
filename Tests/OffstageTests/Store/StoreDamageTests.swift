import Foundation
import Testing

@testable import Offstage

/// A damaged picture is a miss and is removed; a damaged database is set aside. Neither causes an error or a wrong
/// picture.
struct StoreDamageTests {
    private let test: TestStore
    init() throws { test = try TestStore() }

    private func filled(_ count: Int = 3, bytes: Int = 3000) async throws -> PictureStore {
        let store = test.open()
        for number in 0..<count { await store.store(.sample("\(number)", count: bytes), for: .full("\(number)")) }
        await store.finish()
        try test.checkpoint()
        return store
    }

    @Test func aFlippedByteInAPicture() async throws {
        _ = try await filled()
        let bytes = StoredPicture.sample("1", count: 3000).data
        try test.change { data in
            var start = try #require(data.range(of: bytes)).lowerBound
            // A split page may contain the bytes twice.
            while let place = data.range(of: bytes, in: start..<data.endIndex) {
                data[place.lowerBound + 1234] ^= 1
                start = place.upperBound
            }
        }
        let store = test.open()
        #expect(await store.picture(for: .full("1")) == nil)
        #expect(test.events.all == [.damaged(.full("1"))])
        #expect(store.counters.damaged == 1)
        #expect(await store.entries().map(\.key.identifier) == ["0", "2"])
        await store.store(.sample("1", count: 3000), for: .full("1"))
        #expect(await store.picture(for: .full("1")) == .sample("1", count: 3000))
    }

    /// If two pictures share the same bytes, damage affects both.
    @Test func aFlippedByteInALargeFile() async throws {
        let store = test.open()
        let picture = StoredPicture.sample("same", count: 1 << 20)
        await store.store([(.full("a"), picture), (.full("b"), picture)])
        let file = try #require(test.largeFiles.first)
        try test.change(file) { $0[1 << 19] ^= 1 }
        #expect(await store.picture(for: .full("a")) == nil)
        #expect(await store.picture(for: .full("b")) == nil)
        #expect(test.largeFiles.isEmpty)
        await store.store(picture, for: .full("b"))
        #expect(await store.picture(for: .full("b")) == picture)
    }

    @Test func aLargeFileThatIsGone() async throws {
        let store = test.open()
        await store.store(.sample("a", count: 1 << 20), for: .full("a"))
        try FileManager.default.removeItem(atPath: test.path + "/" + test.largeFiles[0])
        #expect(await store.picture(for: .full("a")) == nil)
        #expect(await store.statistics().pictures == 0)
        await store.store(.sample("a", count: 1 << 20), for: .full("a"))
        #expect(await store.picture(for: .full("a")) != nil)
    }

    /// A picture's metadata is checked like its bytes, so it cannot be another picture's or have another size.
    @Test(arguments: [
        "blob = (SELECT blob FROM picture WHERE identifier = '2')", "height = 107", "scale = 2", "opaque = 1",
        "fingerprint = (SELECT fingerprint FROM picture WHERE identifier = '2')", "extra = NULL", "warnings = NULL",
        "content = NULL", "content = replace(content, 'note', 'nope')",
        "dependencies = x''", "parts = x''", "format = 'webp'", "part_count = 3", "seal = x'00'", "blob = 77",
    ])
    func aChangedRow(_ change: String) async throws {
        let store = try await filled()
        try test.execute("UPDATE picture SET \(change) WHERE identifier = '1'")
        #expect(await store.picture(for: .full("1")) == nil)
        #expect(test.events.damaged == [.full("1")])
        #expect(await store.records(for: [.full("1")]).isEmpty)
        #expect(await store.picture(for: .full("0")) == .sample("0", count: 3000))
    }

    @Test func verifying() async throws {
        let store = try await filled(200)
        #expect(await store.verify() == StoreVerification(checked: 200))
        try test.execute(
            """
            UPDATE blob SET bytes = zeroblob(3000) WHERE id = (SELECT blob FROM picture WHERE identifier = '150');
            INSERT INTO blob (digest, length, bytes) VALUES (zeroblob(32), 3, x'010203');
            """)
        #expect(await store.verify() == StoreVerification(checked: 200, damaged: [.full("150")], unused: 1))
        #expect(await store.verify() == StoreVerification(checked: 199))
    }

    private func expectBegunAnew(_ store: PictureStore) async throws {
        #expect(await store.picture(for: .full("0")) == nil)
        #expect(test.events.warnings == [.putAside])
        #expect(await store.store(.sample("a"), for: .full("a")))
        #expect(await store.picture(for: .full("a")) == .sample("a"))
        #expect(store.isAvailable)
        #expect(FileManager.default.fileExists(atPath: test.path + "/pictures.damaged.sqlite"))
        #expect(await store.verify().isWhole)
    }

    /// Drawings can be repeated; pictures that clients have PUT cannot.
    @Test func pinnedPicturesSurviveADamagedDatabase() async throws {
        let store = try await filled(20)
        let client = PinningClient(name: "c", mayChangeOthers: false)
        func key(_ number: Int) -> PictureKey { PictureKey("//v1/images/\(number)", variant: "put") }
        for number in 0..<30 {
            let picture = StoredPicture.sample("put \(number)", count: number == 7 ? 700_000 : 20_000)
            _ = await store.pin([(key(number), picture)], by: client)
        }
        await store.finish()
        try test.checkpoint()
        let page = try test.number("SELECT rootpage FROM sqlite_schema WHERE name = 'picture_by_fingerprint'") - 1
        try test.change {
            $0.replaceSubrange(page * 8192..<page * 8192 + 80, with: Data(repeating: 0xA5, count: 80))
        }
        let next = test.open()
        // Storing a picture reads the damaged page.
        _ = await next.store(.sample("a"), for: .full("a"))
        #expect(test.events.warnings == [.putAside])
        for number in 0..<30 {
            let picture = StoredPicture.sample("put \(number)", count: number == 7 ? 700_000 : 20_000)
            #expect(await next.picture(for: key(number)) == picture)
        }
        #expect(await next.pinned(key(3))?.owner == PictureOwner(name: "c"))
        #expect(await next.statistics().pinned == 30)
        #expect(await next.picture(for: .full("0")) == nil)
        #expect(await next.verify().isWhole)
    }

    /// Having too many open files does not mean that the picture's file is damaged.
    @Test func aLargeFileThatCannotBeOpenedNow() throws {
        #expect(try StoreProgram("starve", test.path).wait().text == "starved false, later true\n")
    }

    @Test(arguments: [100, 5000, 20_000])
    func aTruncatedDatabase(_ length: Int) async throws {
        _ = try await filled(20)
        try test.change { $0 = $0.prefix(length) }
        try await expectBegunAnew(test.open())
    }

    @Test func aDatabaseTruncatedWhileInUse() async throws {
        let store = try await filled(20)
        try test.change { $0 = $0.prefix(20_000) }
        try await expectBegunAnew(store)
    }

    @Test func aFileThatIsNoDatabase() async throws {
        _ = try await filled()
        try test.change { $0 = Data(repeating: 65, count: 30_000) }
        try await expectBegunAnew(test.open())
    }

    @Test func anotherProgramsDatabase() async throws {
        try FileManager.default.createDirectory(atPath: test.path, withIntermediateDirectories: true)
        try test.execute("CREATE TABLE other (a); INSERT INTO other VALUES (1)")
        try await expectBegunAnew(test.open())
    }

    /// Damage in any page of the database is found when the page is read or when the whole store is checked.
    @Test func aDamagedPage() async throws {
        _ = try await filled(300, bytes: 200)
        let count = try test.bytes().count / 8192
        for page in stride(from: 1, to: count, by: 3) {
            try test.change {
                $0.replaceSubrange(page * 8192 + 8..<page * 8192 + 80, with: Data(repeating: 0xA5, count: 72))
            }
        }
        let store = test.open()
        for number in 0..<300 {
            let picture = await store.picture(for: .full("\(number)"))
            #expect(picture == nil || picture == .sample("\(number)", count: 200))
        }
        _ = await store.verify()
        #expect(await store.verify().isWhole)
        #expect(await store.store(.sample("a"), for: .full("a")))
        #expect(await store.picture(for: .full("a")) == .sample("a"))
    }
}
