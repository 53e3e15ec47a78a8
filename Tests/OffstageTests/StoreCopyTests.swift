import Foundation
import Testing

@testable import Offstage

/// Copying pictures between caches.
@Suite struct StoreCopyTests {
    private func picture(_ text: String, _ fingerprint: String, part: Int? = nil, count: Int = 0) -> StoredPicture {
        var builder = Fingerprint.Builder()
        builder.add("html", fingerprint)
        let bytes = Data(text.utf8) + Data(count: count)
        return StoredPicture(
            data: bytes,
            info: PictureInfo(
                fingerprint: builder.build(), format: "png", size: PixelSize(width: 1, height: 1), scale: 1,
                isOpaque: true, partCount: part.map { _ in 2 }))
    }

    private func key(_ identifier: String) -> PictureKey { PictureKey(identifier, variant: "png") }

    private func withStores(_ body: (PictureStore, PictureStore) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("copy-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // The second store has a newer picture.
        let stores = [1.0, 2].map { second in
            var surroundings = StoreSurroundings()
            surroundings.now = { Date(timeIntervalSince1970: 1e9 + second) }
            return PictureStore(
                folder: "\(folder)/\(second)", limits: StoreLimits(age: nil), surroundings: surroundings)
        }
        try await body(stores[0], stores[1])
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test func everyPictureArrives() async throws {
        try await withStores { one, other in
            for number in 1...150 { await one.store(picture("\(number)", "\(number)"), for: key("\(number)")) }
            // The bytes are in a file beside the database.
            let large = picture("large", "large", count: 700_000)
            await one.store(large, for: key("large"))
            let copy = try #require(await one.copyPictures(to: other) { $0 == large.info.fingerprint })
            #expect((copy.copied, copy.known, copy.left, copy.matching) == (151, 0, 0, 1))
            for number in 1...150 {
                #expect(await other.picture(for: key("\(number)"))?.data == Data("\(number)".utf8))
            }
            #expect(await other.picture(for: key("large")) == large)
            let again = try #require(await one.copyPictures(to: other))
            #expect((again.copied, again.known) == (0, 151))
            #expect(await other.verify().isWhole)
        }
    }

    @Test func theNewerPictureStays() async throws {
        try await withStores { one, other in
            let key = self.key("a")
            await one.store(picture("old", "1"), for: key)
            await other.store(picture("new", "2"), for: key)
            // Each store has a picture that the other lacks.
            await one.store(picture("b", "b"), for: self.key("b"))
            let copy = try #require(await one.copyPictures(to: other))
            #expect((copy.copied, copy.known) == (1, 1))
            #expect(await other.picture(for: key)?.data == Data("new".utf8))
            _ = await other.copyPictures(to: one)
            #expect(await one.picture(for: key)?.data == Data("new".utf8))
        }
    }

    /// A picture that a client has PUT here is not replaced by one that was PUT elsewhere, and received pictures are
    /// not evicted.
    @Test func pinnedPicturesStayPinned() async throws {
        try await withStores { one, other in
            func put(_ name: String) -> PictureKey { PictureKey("//v1/images/" + name, variant: "put") }
            let client = PinningClient(name: "c", mayChangeOthers: false)
            _ = await one.pin([(put("a"), picture("older a", "1"))], by: client)
            _ = await one.pin([(put("b"), picture("b", "b"))], by: client)
            _ = await other.pin([(put("a"), picture("newer a", "2"))], by: client)
            let copy = try #require(await other.copyPictures(to: one))
            #expect((copy.copied, copy.known) == (0, 1))
            #expect(await one.picture(for: put("a"))?.data == Data("older a".utf8))
            _ = await one.copyPictures(to: other)
            #expect(await other.picture(for: put("a"))?.data == Data("newer a".utf8))
            #expect(await other.statistics().pinned == 2)
            #expect(await other.pinned(put("b"))?.owner == PictureOwner(name: "c"))
        }
    }

    /// Mixing the parts of two drawings would make a picture that nobody drew.
    @Test func partsOfTwoDrawingsNeverMix() async throws {
        try await withStores { one, other in
            let parts = [1, 2].map { PictureKey("a", variant: "png", part: $0) }
            let third = (PictureKey("a", variant: "png", part: 3), picture("old 3", "old", part: 3))
            await one.store(parts.map { ($0, picture("old \($0)", "old", part: 1)) } + [third])
            await other.store(parts.map { ($0, picture("new \($0)", "new", part: 1)) })
            _ = await other.copyPictures(to: one)
            #expect(await one.parts(of: "a", variant: "png").map(\.key.part) == [1, 2])
        }
    }
}
