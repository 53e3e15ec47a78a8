import Foundation
import Synchronization

/// Memory for a stage of work. Work waits while others use too much, so that a fast stage cannot fill the memory in front of a slow
/// one, such as the disk.
///
/// A few are admitted whatever their size: otherwise two huge pictures could not be encoded at the same time.
final class MemoryRoom: Sendable {
    /// A part of the room. It ends with this object.
    final class Share: Sendable {
        private let room: MemoryRoom
        private let bytes: Int

        fileprivate init(_ room: MemoryRoom, _ bytes: Int) { (self.room, self.bytes) = (room, bytes) }

        deinit { room.give(bytes) }
    }

    private struct Turn: Comparable, Hashable {
        var bytes: Int
        /// Among turns of the same size, the one that came earlier is first.
        var number: Int

        static func < (one: Turn, other: Turn) -> Bool { (one.bytes, one.number) < (other.bytes, other.number) }
    }

    private struct State {
        var bytes = 0
        var count = 0
        var lastNumber = 0
        var turns = MinHeap<Turn>()
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let limit: Int
    let admitted: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: bytes. Nobody waits while less is in use.
    ///   - admitted: the number of shares that are given whatever their size; at least 1.
    init(limit: Int, admitted: Int = ProcessInfo.processInfo.activeProcessorCount) {
        (self.limit, self.admitted) = (limit, max(1, admitted))
    }

    /// The number of those that wait.
    var waitingCount: Int { state.withLock { $0.turns.count } }

    private func hasRoom(_ state: State) -> Bool { state.bytes < limit || state.count < admitted }

    /// Takes a share without waiting, for bytes that exist already.
    func take(_ bytes: Int) -> Share {
        state.withLock {
            $0.bytes += bytes
            $0.count += 1
        }
        return Share(self, bytes)
    }

    /// Waits for a share. The smallest is first: small pictures do not wait for many large ones.
    ///
    /// - Returns: also whether it waited.
    func share(_ bytes: Int) async -> (share: Share, waited: Bool) {
        var waited = false
        await withCheckedContinuation { continuation in
            let starts = state.withLock { state in
                if hasRoom(state), state.turns.count == 0 {
                    state.bytes += bytes
                    state.count += 1
                    return true
                }
                waited = true
                state.lastNumber += 1
                state.turns.insert(Turn(bytes: bytes, number: state.lastNumber))
                state.waiting[state.lastNumber] = continuation
                return false
            }
            if starts { continuation.resume() }
        }
        return (Share(self, bytes), waited)
    }

    private func give(_ bytes: Int) {
        let next = state.withLock { state in
            state.bytes -= bytes
            state.count -= 1
            var next: [CheckedContinuation<Void, Never>] = []
            while hasRoom(state), let turn = state.turns.first {
                state.turns.removeFirst()
                state.bytes += turn.bytes
                state.count += 1
                if let one = state.waiting.removeValue(forKey: turn.number) { next.append(one) }
            }
            return next
        }
        for one in next { one.resume() }
    }
}

extension RenderedPicture {
    /// For a host, which may hold the picture for any time.
    var withoutShare: RenderedPicture {
        var picture = self
        picture.share = nil
        return picture
    }

    /// Bytes of memory.
    fileprivate var memory: Int {
        guard case .pixels(let pixmap) = picture, !pixmap.isSpooled else { return 0 }
        return pixmap.bytesPerRow * pixmap.size.height
    }
}

extension [RenderedPicture] {
    /// Bytes of memory.
    var memory: Int { reduce(0) { $0 + $1.memory } }

    /// The pictures of a drawing, which have a common share.
    func sharing(_ room: MemoryRoom) -> [RenderedPicture] {
        let share = room.take(memory)
        return map {
            var picture = $0
            picture.share = share
            return picture
        }
    }
}
