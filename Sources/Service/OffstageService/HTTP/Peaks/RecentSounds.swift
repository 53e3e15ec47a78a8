import Offstage
import OffstageSound
import Synchronization

/// The peaks of recently requested sounds, so that parts of a sound don't read the store each time. Use it from any
/// thread.
final class RecentSounds: MemoryTrimming {
    private struct Entry {
        var key: PictureKey
        /// The digest of the stored bytes, which changes when the sound is replaced.
        var content: Digest
        var sound: DecodedSound
    }

    /// The most recently used one is last.
    private let entries = Mutex<[Entry]>([])
    /// Bytes. The last sound is kept even if it has more.
    private static let limit = 64 << 20

    func sound(_ key: PictureKey, _ content: Digest) -> DecodedSound? {
        entries.withLock { entries in
            guard let place = entries.firstIndex(where: { $0.key == key && $0.content == content }) else { return nil }
            let found = entries.remove(at: place)
            entries.append(found)
            return found.sound
        }
    }

    func add(_ sound: DecodedSound, _ key: PictureKey, _ content: Digest) {
        entries.withLock { entries in
            entries.removeAll { $0.key == key }
            entries.append(Entry(key: key, content: content, sound: sound))
            Self.evict(&entries, to: Self.limit, keeping: 1)
        }
    }

    func remove(_ key: PictureKey) { entries.withLock { $0.removeAll { $0.key == key } } }

    func trimMemory(to fraction: Double) {
        entries.withLock { Self.evict(&$0, to: Int(Double(Self.limit) * min(max(fraction, 0), 1)), keeping: 0) }
    }

    private static func evict(_ entries: inout [Entry], to limit: Int, keeping count: Int) {
        var bytes = entries.reduce(0) { $0 + $1.sound.pyramid.byteCount }
        while bytes > limit, entries.count > count { bytes -= entries.removeFirst().sound.pyramid.byteCount }
    }
}
