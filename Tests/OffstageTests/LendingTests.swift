import Foundation
import Testing

@testable import Offstage

/// Files that a store lends to many requests at once.
struct LendingTests {
    private let test: TestStore
    private let clock = TestClock()
    private let variants = [FileVariant(.webp()), FileVariant(.png(), fittingInto: PixelSize(width: 8, height: 8))]
    init() throws { test = try TestStore() }

    private func renderer(_ engine: ContentEngine = ContentEngine()) -> Renderer {
        var configuration = RendererConfiguration()
        configuration.store = test.open(clock: clock)
        return Renderer(engine: engine, configuration: configuration)
    }

    /// Draws the files and stores them.
    private func drawn(
        _ requests: [ContentRequest], as variants: [FileVariant], engine: ContentEngine = ContentEngine()
    ) async throws -> [[Data?]] {
        let renderer = renderer(engine)
        var all: [[Data?]] = []
        for request in requests {
            let pictures = try await renderer.files(for: request, as: variants)
            all.append(pictures.flatMap { $0.files.map(\.dataAtOnce) })
        }
        await renderer.finish()
        return all
    }

    /// The bytes of each request's files; nil if a request's files are not lent.
    private func lent(
        _ requests: [ContentRequest?], as variants: [FileVariant], by renderer: Renderer
    ) async -> [[Data?]?] {
        await renderer.lendFiles(for: requests.map { $0.map { ($0, variants) } }) { _, pictures, lend in
            pictures.flatMap(\.files).map { file in
                var copy: Data?
                return lend(file) { copy = Data($0) } ? copy : nil
            }
        }
    }

    private func request(_ name: String) -> ContentRequest { ContentRequest(identifier: name, content: name) }

    @Test func storedFilesAreLentAndOthersAreNot() async throws {
        let files = try await drawn([request("a"), request("b")], as: variants)
        let renderer = renderer()
        // The same content under another identifier is the same picture.
        let other = ContentRequest(identifier: "other", content: "b")
        let lent = await lent([request("a"), nil, request("c"), other], as: variants, by: renderer)
        #expect(lent == [files[0], nil, nil, files[1]])
        #expect(renderer.counters.hitsOnDisk == 2)
        #expect(await self.lent([request("a")], as: [FileVariant(.jpeg())], by: renderer) == [nil])
        await renderer.finish()
    }

    @Test func partsAndScalesAreLentTogether() async throws {
        var request = request("a")
        request.partCount = 2
        let variants = variants + [FileVariant(.png(), scale: 2)]
        let files = try await drawn([request], as: variants)
        let renderer = renderer()
        #expect(await lent([request], as: variants, by: renderer) == [files[0]])
        #expect(files[0].count == 6)
        await renderer.finish()
    }

    @Test func aChangedFileIsNoticed() async throws {
        let requests = [request("a"), request("b")]
        let file = Digest(of: "one")
        let files = try await drawn(requests, as: variants, engine: ContentEngine(file: file, usesFile: true))
        #expect(await lent(requests, as: variants, by: renderer(ContentEngine(file: file))) == files)
        for file in [Digest(of: "two"), nil] {
            #expect(await lent(requests, as: variants, by: renderer(ContentEngine(file: file))) == [nil, nil])
        }
    }

    @Test func anIncompletePictureIsNotForAStrictRequest() async throws {
        var request = request("a")
        request.warnings = [DrawingWarning(.resourceMissing, "a.png")]
        let files = try await drawn([request], as: variants)
        var strict = request
        strict.requiresComplete = true
        let renderer = renderer()
        #expect(await lent([strict, request], as: variants, by: renderer) == [nil, files[0]])
        #expect(renderer.counters.hitsOnDisk == 1)
        await renderer.finish()
    }

    @Test func damagedBytesAreNotLent() async throws {
        _ = try await drawn([request("a")], as: [variants[0]])
        try test.execute("UPDATE blob SET bytes = zeroblob(length)")
        let engine = ContentEngine()
        let renderer = renderer(engine)
        #expect(await lent([request("a")], as: [variants[0]], by: renderer) == [[nil]])
        // An ordinary request finds the damage, too, and then draws the picture again.
        #expect(try await renderer.files(for: request("a"), as: [variants[0]])[0].files[0].data() == nil)
        _ = try await renderer.files(for: request("a"), as: [variants[0]])
        #expect(engine.drawings.count == 1)
        await renderer.finish()
    }

    /// A slice is lent in one transaction, so that concurrent changes have no effect on it.
    @Test func aSliceIsOfOneState() async throws {
        let requests = (0..<64).map { request("\($0)") }
        _ = try await drawn(requests, as: variants)
        let renderer = renderer()
        let lent = await renderer.lendFiles(for: requests.map { ($0, variants) }) { [test] index, pictures, lend in
            if index == 0 { try? test.execute("DELETE FROM picture; DELETE FROM blob") }
            return pictures[0].files.allSatisfy { lend($0) { _ in } }
        }
        #expect(lent == requests.map { _ in true })
        #expect(await self.lent(requests, as: variants, by: renderer) == requests.map { _ in nil })
        await renderer.finish()
    }

    @Test func aUseIsNoted() async throws {
        _ = try await drawn([request("a"), request("b")], as: [variants[0]])
        let before = try test.number("SELECT max(used) FROM picture")
        let renderer = renderer()
        _ = await lent([request("a")], as: [variants[0]], by: renderer)
        await renderer.finish()
        #expect(try test.number("SELECT used FROM picture WHERE identifier = 'a'") > before)
        #expect(try test.number("SELECT used FROM picture WHERE identifier = 'b'") <= before)
    }
}
