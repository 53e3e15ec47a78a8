import Foundation
import Offstage

/// The pictures that clients have put under identifiers. In the store, they are a variant of their own, so drawings for other
/// clients do not replace them; equal bytes are stored once. Recently used ones are in memory, too.
@MainActor
final class PutPictures {
    /// Shrinks with the renderer's caches when memory is short.
    let memory: MemoryCache<PictureAnswer>
    /// The number of changes. What was read from disk before a change is not remembered after it.
    private var changes = 0

    init(limits: MemoryCacheLimits) { memory = MemoryCache(limits: limits) { $0.data.count + 512 } }

    /// The command line's keys are paths of files, which never begin in this way; identifiers of requests do not either.
    private static func key(_ identifier: String) -> PictureKey {
        PictureKey("//v1/images/" + identifier, variant: "put")
    }

    func atOnce(_ identifier: String) -> PictureAnswer? { memory.value(for: Self.key(identifier)) }

    func record(_ identifier: String, in store: PictureStore) async -> PictureRecord? {
        await store.record(for: Self.key(identifier))
    }

    func picture(_ identifier: String, in store: PictureStore) async -> PictureAnswer? {
        let key = Self.key(identifier)
        let count = changes
        guard let stored = await store.picture(for: key),
            let answer = PictureAnswer(stored, content: await Self.digest(of: stored.data), name: identifier)
        else { return nil }
        if count == changes { memory.insert(answer, for: key) }
        return answer
    }

    /// Stores a picture under an identifier. If this returns nil, the picture is on disk.
    func put(
        _ drawn: ServeContext.Drawn, _ request: ImageRequest, _ identifier: String, in store: PictureStore
    ) async -> PictureStore.Refusal? {
        let file = drawn.picture.files[0]
        var parts = Fingerprint.Builder()
        parts.add("content", file.content)
        let info = PictureInfo(
            fingerprint: parts.build(), format: request.format.name, size: file.size, scale: file.scale,
            isOpaque: false, warnings: drawn.picture.warnings, content: drawn.picture.content)
        return await change(identifier) { await store.keep(StoredPicture(data: drawn.data, info: info), for: $0) }
    }

    func remove(_ identifier: String, in store: PictureStore) async {
        await change(identifier) { await store.remove([$0]) }
    }

    private func change<Result>(_ identifier: String, _ body: (PictureKey) async -> Result) async -> Result {
        let key = Self.key(identifier)
        func forget() {
            changes += 1
            memory.remove(key)
        }
        forget()
        defer { forget() }
        return await body(key)
    }

    @concurrent
    private nonisolated static func digest(of data: Data) async -> Digest { Digest(of: data) }
}
