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
    /// The pictures of all machines; nil for those of this one alone.
    private let names: (any SharedNames)?

    init(limits: MemoryCacheLimits, names: (any SharedNames)?) {
        memory = MemoryCache(limits: limits) { $0.data.count + 512 }
        self.names = names
    }

    /// The command line's keys are paths of files, which never begin in this way; identifiers of requests do not either.
    private static func key(_ identifier: String) -> PictureKey {
        PictureKey("//v1/images/" + identifier, variant: "put")
    }

    /// Nil also if another machine may have a newer picture.
    func atOnce(_ identifier: String) -> PictureAnswer? {
        names == nil ? memory.value(for: Self.key(identifier)) : nil
    }

    /// The digest of the picture's bytes; nil if there is none.
    func content(_ identifier: String, in store: PictureStore) async throws(Problem) -> Digest? {
        guard let names else { return await store.record(for: Self.key(identifier))?.content }
        do throws(SharedUnavailable) { return try await names.content(of: identifier) } catch { throw Problem(error) }
    }

    /// The picture without its bytes. Nil also if another machine may have a newer one.
    func description(_ identifier: String, in store: PictureStore) async -> PictureAnswer? {
        if names != nil { return nil }
        return await store.record(for: Self.key(identifier)).flatMap { PictureAnswer($0, name: identifier) }
    }

    func picture(_ identifier: String, in store: PictureStore) async throws(Problem) -> PictureAnswer? {
        let key = Self.key(identifier)
        let count = changes
        let found: StoredPicture?
        if let names {
            do throws(SharedUnavailable) {
                guard let content = try await names.content(of: identifier) else { return nil }
                if let kept = memory.value(for: key), kept.tag.text == EntityTag(content).text { return kept }
                found = try await names.picture(of: identifier)
            } catch { throw Problem(error) }
        } else {
            found = await store.picture(for: key)
        }
        guard let stored = found,
            let answer = PictureAnswer(stored, content: await Self.digest(of: stored.data), name: identifier)
        else { return nil }
        if count == changes { memory.insert(answer, for: key) }
        return answer
    }

    /// Stores a picture under an identifier. If this returns nil, the picture is on disk.
    func put(
        _ drawn: ServeContext.Drawn, _ request: ImageRequest, _ identifier: String, in store: PictureStore
    ) async throws(Problem) -> PictureStore.Refusal? {
        let file = drawn.picture.files[0]
        var parts = Fingerprint.Builder()
        parts.add("content", file.content)
        let info = PictureInfo(
            fingerprint: parts.build(), format: request.format.name, size: file.size, scale: file.scale,
            isOpaque: false, warnings: drawn.picture.warnings, content: drawn.picture.content)
        let picture = StoredPicture(data: drawn.data, info: info)
        return try await change(identifier) { (key) throws(Problem) in
            guard let names else { return await store.keep(picture, for: key) }
            do throws(SharedUnavailable) { try await names.put(picture, as: identifier) } catch { throw Problem(error) }
            return nil
        }
    }

    func remove(_ identifier: String, in store: PictureStore) async throws(Problem) {
        try await change(identifier) { (key) throws(Problem) in
            guard let names else { return await store.remove([key]) }
            do throws(SharedUnavailable) { try await names.remove(identifier) } catch { throw Problem(error) }
        }
    }

    private func change<Result>(
        _ identifier: String, _ body: (PictureKey) async throws(Problem) -> Result
    ) async throws(Problem) -> Result {
        let key = Self.key(identifier)
        func forget() {
            changes += 1
            memory.remove(key)
        }
        forget()
        defer { forget() }
        return try await body(key)
    }

    @concurrent
    private nonisolated static func digest(of data: Data) async -> Digest { Digest(of: data) }
}
