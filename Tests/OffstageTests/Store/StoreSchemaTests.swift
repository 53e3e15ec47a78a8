import Foundation
import Testing

@testable import Offstage

/// A store that another version of the program wrote.
struct StoreSchemaTests {
    private let test: TestStore
    init() throws { test = try TestStore() }

    /// Converts a current store to version 3.
    static let withoutPins = """
        DROP TRIGGER picture_stays; DROP INDEX picture_pinned; DROP INDEX picture_by_use;
        CREATE INDEX picture_by_use ON picture(used);
        ALTER TABLE picture DROP COLUMN owner; ALTER TABLE picture DROP COLUMN pinned;
        """

    @Test func anOlderOneIsBroughtUpToDate() async throws {
        var picture = StoredPicture.sample("a")
        picture.info.extra = nil
        picture.info.content = nil
        let first = test.open()
        await first.store(picture, for: .full("a"))
        await first.finish()
        try test.execute(
            Self.withoutPins + """
                ALTER TABLE picture DROP COLUMN content;
                DROP INDEX picture_by_fingerprint; ALTER TABLE picture DROP COLUMN extra; PRAGMA user_version = 1
                """)
        let store = test.open()
        #expect(await store.picture(for: .full("a")) == picture)
        #expect(await store.store(.sample("b"), for: .full("b")))
        #expect(await store.picture(for: .full("b")) == .sample("b"))
        #expect(try test.number("PRAGMA user_version") == StoreSchema.version)
        #expect(test.events.all.isEmpty)
    }

    @Test func oneWithoutAreasIsBroughtUpToDate() async throws {
        var picture = StoredPicture.sample("a")
        picture.info.content = nil
        let first = test.open()
        await first.store(picture, for: .full("a"))
        await first.finish()
        try test.execute(Self.withoutPins + "ALTER TABLE picture DROP COLUMN content; PRAGMA user_version = 2")
        let store = test.open()
        #expect(await store.picture(for: .full("a")) == picture)
        #expect(await store.store(.sample("b"), for: .full("b")))
        #expect(await store.picture(for: .full("b")) == .sample("b"))
        #expect(test.events.all.isEmpty)
    }

    /// The store belongs to a newer version of the program, so nothing in it is changed.
    @Test func aNewerOneIsGoneWithout() async throws {
        let first = test.open()
        await first.store(.sample("a"), for: .full("a"))
        await first.finish()
        try test.execute("PRAGMA user_version = 1000")
        try test.checkpoint()
        let before = try test.bytes()
        let store = test.open()
        for _ in 0..<3 {
            #expect(await store.picture(for: .full("a")) == nil)
            #expect(await !store.store(.sample("b"), for: .full("b")))
        }
        #expect(test.events.warnings == [.newerSchema])
        #expect(!store.isAvailable)
        #expect(
            await store.explain(.full("a"), against: StoredPicture.sample("a").info.fingerprint) { _ in nil }
                == .unavailable)
        #expect(try test.bytes() == before)
    }

    /// Several processes create the same store at once.
    @Test func madeByManyAtOnce() async throws {
        let stores = (0..<8).map { _ in test.open() }
        await withTaskGroup(of: Bool.self) { group in
            for (number, store) in stores.enumerated() {
                group.addTask { await store.store(.sample("\(number)"), for: .full("\(number)")) }
            }
            for await isCached in group { #expect(isCached) }
        }
        #expect(await stores[0].entries().count == 8)
        #expect(test.events.all.isEmpty)
    }
}
