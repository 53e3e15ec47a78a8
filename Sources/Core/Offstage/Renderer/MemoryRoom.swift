import Foundation
import Synchronization

/// Limits the memory of a stage of work. Work waits while other work uses too much, so that a fast stage cannot fill
/// the memory in front of a slow one, such as the disk.
///
/// A few shares are granted whatever their size: otherwise two huge pictures could not be encoded at the same time.
final class MemoryRoom: Sendable {
    /// A share of the memory. It ends with this object.
    final class Share: Sendable {
        private let room: MemoryRoom
        private let bytes: Int

        fileprivate init(_ room: MemoryRoom, _ bytes: Int) { (self.room, self.bytes) = (room, bytes) }

        deinit { room.give(bytes) }
    }

    fileprivate struct Turn: Comparable, Hashable {
        var bytes: Int
        /// Among requests of the same size, the earlier one is first.
        var number: Int

        static func < (one: Turn, other: Turn) -> Bool { (one.bytes, one.number) < (other.bytes, other.number) }
    }

    fileprivate struct State {
        var bytes = 0
        var count = 0
        var lastNumber = 0
        var turns = MinHeap<Turn>()
        /// The waiting requests in the order of their numbers, mixed with some that no longer wait.
        var line: [Turn] = []
        /// The number of requests at the start of `line` that no longer wait.
        var passed = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let limit: Int
    let admitted: Int
    private let mostOvertakings: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: bytes. As long as less is in use, no request waits.
    ///   - admitted: the number of shares that are granted whatever their size; at least 1.
    ///   - mostOvertakings: the number of later requests that may get their shares before an earlier one. Default 64.
    init(
        limit: Int, admitted: Int = ProcessInfo.processInfo.activeProcessorCount, mostOvertakings: Int = 64
    ) {
        (self.limit, self.admitted, self.mostOvertakings) = (limit, max(1, admitted), mostOvertakings)
    }

    /// The number of waiting requests.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    private func hasRoom(_ state: State) -> Bool { state.bytes < limit || state.count < admitted }

    /// Takes a share without waiting, for bytes that exist already.
    func take(_ bytes: Int) -> Share {
        state.withLock {
            $0.bytes += bytes
            $0.count += 1
        }
        return Share(self, bytes)
    }

    /// Waits for a share. The smallest request is first, so that small pictures do not wait for many large ones. A
    /// large one waits for at most `mostOvertakings` later requests.
    ///
    /// - Returns: the share, and true if it waited.
    func share(_ bytes: Int) async -> (share: Share, waited: Bool) {
        var waited = false
        await withCheckedContinuation { continuation in
            let starts = state.withLock { state in
                if hasRoom(state), state.waiting.isEmpty {
                    state.bytes += bytes
                    state.count += 1
                    return true
                }
                waited = true
                state.lastNumber += 1
                let turn = Turn(bytes: bytes, number: state.lastNumber)
                state.turns.insert(turn)
                state.line.append(turn)
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
            while hasRoom(state), let turn = state.next(mostOvertakings) {
                state.bytes += turn.bytes
                state.count += 1
                if let one = state.waiting.removeValue(forKey: turn.number) { next.append(one) }
            }
            return next
        }
        for one in next { one.resume() }
    }
}

extension MemoryRoom.State {
    /// The smallest request, or the earliest if the smallest arrived too long after it. Nil if none is waiting.
    fileprivate mutating func next(_ mostOvertakings: Int) -> MemoryRoom.Turn? {
        while passed < line.count, waiting[line[passed].number] == nil { passed += 1 }
        if passed > 1_000, passed > line.count / 2 {
            line.removeFirst(passed)
            passed = 0
        }
        while let turn = turns.first, waiting[turn.number] == nil { turns.removeFirst() }
        guard let smallest = turns.first else { return nil }
        let earliest = line[passed]
        return smallest.number - earliest.number > mostOvertakings ? earliest : smallest
    }
}

extension RenderedPicture {
    /// The picture without its reservation, for a host that may keep it for any length of time.
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
