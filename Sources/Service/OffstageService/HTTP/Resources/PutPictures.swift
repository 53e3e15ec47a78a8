import Foundation
import Offstage
import OffstageSound

/// The pictures that clients have put under identifiers. In the store, they are a separate variant, so drawings for
/// other clients do not replace them. They are pinned, so nothing evicts them. Equal bytes are stored once. Recently
/// used ones are in memory, too.
@MainActor
final class PutPictures {
    /// Shrinks with the renderer's caches when memory is short.
    let memory: MemoryCache<PictureAnswer>
    /// The peaks of sounds that were put.
    let sounds = RecentSounds()
    /// The number of changes. Data read from disk before a change is not cached after it.
    private var changes = 0
    /// The pictures of all machines; nil to use only this machine's.
    private let names: (any SharedNames)?

    init(limits: MemoryCacheLimits, names: (any SharedNames)?) {
        memory = MemoryCache(limits: limits) { $0.data.count + 512 }
        self.names = names
    }

    /// The command line's keys are paths of files, which never begin like this; neither do identifiers of requests.
    private nonisolated static func key(_ identifier: String) -> PictureKey {
        PictureKey("//v1/images/" + identifier, variant: "put")
    }

    private static func soundKey(_ identifier: String) -> PictureKey {
        PictureKey("//v1/images/" + identifier, variant: "put-peaks")
    }

    /// A key shared by all machines. No identifier of a request begins like this.
    private static func soundName(_ identifier: String) -> String { "//v1/peaks/" + identifier }

    /// The picture in memory; nil if it is not there, or if another machine may have a newer one.
    nonisolated func atOnce(_ identifier: String) -> PictureAnswer? {
        names == nil ? memory.value(for: Self.key(identifier)) : nil
    }

    /// The digest of the picture's bytes; nil without a picture.
    func content(_ identifier: String, in store: PictureStore) async throws(Problem) -> Digest? {
        guard let names else { return await store.pinned(Self.key(identifier))?.content }
        do throws(SharedUnavailable) { return try await names.content(of: identifier) } catch { throw Problem(error) }
    }

    /// The picture without its bytes; nil if there is none, or if another machine may have a newer one.
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
            if found == nil, await store.pinned(key) != nil { throw .unreadable }
        }
        guard let stored = found,
            let answer = PictureAnswer(stored, content: await Self.digest(of: stored.data), name: identifier)
        else { return nil }
        if count == changes { memory.insert(answer, for: key) }
        return answer
    }

    /// The peaks of the sound that was PUT under the identifier; nil if there is none.
    func sound(_ identifier: String, in store: PictureStore) async throws(Problem) -> DecodedSound? {
        let key = Self.soundKey(identifier)
        let count = changes
        let found: StoredPicture?
        if let names {
            let name = Self.soundName(identifier)
            do throws(SharedUnavailable) {
                guard let content = try await names.content(of: name) else { return nil }
                if let known = sounds.sound(key, content) { return known }
                found = try await names.picture(of: name)
            } catch { throw Problem(error) }
        } else {
            guard let record = await store.record(for: key) else { return nil }
            if let known = sounds.sound(key, record.content) {
                store.touch([key])
                return known
            }
            found = await store.picture(for: key)
        }
        guard let found, let (sound, content) = await Self.read(found) else { return nil }
        if count == changes { sounds.add(sound, key, content) }
        return sound
    }

    /// The result of a change.
    enum Outcome {
        /// The change is on disk.
        case done
        case refused(PictureStore.Refusal)
        /// Another machine or process has changed the picture meanwhile, and nothing was changed.
        case isOther
        /// The picture belongs to another client, and nothing was changed.
        case isForeign

        fileprivate init(_ outcome: PinOutcome) {
            self =
                switch outcome {
                case .done: .done
                case .refused(let refusal): .refused(refusal)
                case .isOther: .isOther
                case .isForeign: .isForeign
                }
        }
    }

    /// The owner of an identifier's picture; nil if there is no picture.
    func owner(of identifier: String, in store: PictureStore) async throws(Problem) -> PictureOwner? {
        guard let names else { return await store.pinned(Self.key(identifier))?.owner }
        do throws(SharedUnavailable) { return try await names.owner(of: identifier) } catch { throw Problem(error) }
    }

    /// Stores a picture under an identifier.
    ///
    /// - Parameters:
    ///   - sound: for the picture of a sound, its peaks, which are stored with it; nil for all others.
    ///   - client: the picture's new owner.
    ///   - expected: the picture that it replaces.
    func put(
        _ drawn: ServeContext.Drawn, _ request: ImageRequest, _ sound: DecodedSound?, _ identifier: String,
        by client: PinningClient, over expected: ExpectedPicture, in store: PictureStore
    ) async throws(Problem) -> Outcome {
        let file = drawn.picture.files[0]
        var parts = Fingerprint.Builder()
        parts.add("content", file.content)
        let info = PictureInfo(
            fingerprint: parts.build(), format: request.format.name, size: file.size, scale: file.scale,
            isOpaque: false, warnings: drawn.picture.warnings, content: drawn.picture.content)
        let picture = StoredPicture(data: drawn.data, info: info)
        var peaks: StoredPicture?
        if let sound { peaks = await Self.stored(sound) }
        return try await change(identifier) { (key) throws(Problem) in
            guard let names else {
                let soundKey = Self.soundKey(identifier)
                var pictures = [(key: key, picture: picture)]
                if let peaks { pictures.append((key: soundKey, picture: peaks)) }
                // If there are no peaks, remove those of the previous sound.
                return Outcome(
                    await store.pin(pictures, removing: peaks == nil ? [soundKey] : [], by: client, over: expected))
            }
            let soundName = Self.soundName(identifier)
            var pictures = [(identifier: identifier, picture: picture)]
            if let peaks { pictures.append((identifier: soundName, picture: peaks)) }
            do throws(SharedUnavailable) {
                return Outcome(
                    try await names.put(
                        pictures, removing: peaks == nil ? [soundName] : [], by: client, over: expected))
            } catch { throw Problem(error) }
        }
    }

    func remove(
        _ identifier: String, by client: PinningClient, _ expected: ExpectedPicture, in store: PictureStore
    ) async throws(Problem) -> Outcome {
        try await change(identifier) { (key) throws(Problem) in
            guard let names else {
                return Outcome(await store.unpin([key, Self.soundKey(identifier)], by: client, over: expected))
            }
            do throws(SharedUnavailable) {
                return Outcome(
                    try await names.remove([identifier, Self.soundName(identifier)], by: client, expected))
            } catch { throw Problem(error) }
        }
    }

    private func change<Result>(
        _ identifier: String, _ body: (PictureKey) async throws(Problem) -> Result
    ) async throws(Problem) -> Result {
        let key = Self.key(identifier)
        func forget() {
            changes += 1
            memory.remove(key)
            sounds.remove(Self.soundKey(identifier))
        }
        forget()
        defer { forget() }
        return try await body(key)
    }

    @concurrent
    private nonisolated static func digest(of data: Data) async -> Digest { Digest(of: data) }

    @concurrent
    private nonisolated static func stored(_ sound: DecodedSound) async -> StoredPicture {
        var parts = Fingerprint.Builder()
        parts.add("content", Digest(of: sound.file))
        let size = PixelSize(width: max(1, sound.pyramid.peaks.count), height: 1)
        let info = PictureInfo(
            fingerprint: parts.build(), format: "peaks", size: size, scale: 1, isOpaque: true,
            warnings: sound.facts.warnings)
        return StoredPicture(data: sound.file, info: info)
    }

    @concurrent
    private nonisolated static func read(_ stored: StoredPicture) async -> (DecodedSound, Digest)? {
        DecodedSound(stored.data).map { ($0, Digest(of: stored.data)) }
    }
}
