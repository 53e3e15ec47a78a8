import Foundation
import Offstage

/// The pictures that clients have put under identifiers. They are in the store as a variant of their own, so that no drawing for
/// somebody else takes their place; their bytes are there once, whoever has them. Those asked for lately are in memory too.
@MainActor
final class KeptResources {
    /// For whoever knows when memory is short.
    let memory: ImageCache<PictureAnswer>
    /// Counts what was put and removed: what was read before that is not remembered.
    private var changes = 0

    init(limits: ImageCacheLimits) { memory = ImageCache(limits: limits) { $0.data.count + 512 } }

    /// No path of a file, as which the command line keeps pictures, begins so; no identifier of a request does either.
    private static func key(_ identifier: String) -> PictureKey {
        PictureKey("//v1/images/" + identifier, variant: "put")
    }

    func atOnce(_ identifier: String) -> PictureAnswer? { memory.value(for: Self.key(identifier)) }

    func record(_ identifier: String, in store: ImageStore) async -> PictureRecord? {
        await store.record(for: Self.key(identifier))
    }

    func picture(_ identifier: String, in store: ImageStore) async -> PictureAnswer? {
        let key = Self.key(identifier)
        let count = changes
        guard let stored = await store.picture(for: key), let content = await Self.digest(of: stored.data),
            var answer = PictureAnswer(stored, content: content)
        else { return nil }
        answer.name = identifier
        if count == changes { memory.insert(answer, for: key) }
        return answer
    }

    /// Keeps a picture under an identifier: once it returns nil, on disk.
    func put(
        _ drawn: ServeContext.Drawn, _ asked: PictureAsked, _ identifier: String, in store: ImageStore
    ) async -> ImageStore.Refusal? {
        let key = Self.key(identifier)
        let file = drawn.picture.files[0]
        var parts = Fingerprint.Builder()
        parts.add("content", file.content)
        let info = PictureInfo(
            fingerprint: parts.build(), format: asked.format.name, size: file.size, scale: file.scale, isOpaque: false,
            warnings: drawn.picture.warnings, content: drawn.picture.content)
        changes += 1
        memory.remove(key)
        let refusal = await store.keep(StoredPicture(data: drawn.data, info: info), for: key)
        changes += 1
        memory.remove(key)
        return refusal
    }

    func remove(_ identifier: String, in store: ImageStore) async {
        let key = Self.key(identifier)
        changes += 1
        memory.remove(key)
        await store.remove([key])
        changes += 1
        memory.remove(key)
    }

    @concurrent
    private nonisolated static func digest(of data: Data) async -> Digest? { Digest(of: data) }
}
