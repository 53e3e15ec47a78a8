import COffstageSystem
import Foundation
import Offstage
import Synchronization

/// The large bodies of answers that are being sent. Slow clients cannot fill the memory: all readers of a picture share its bytes,
/// and bodies beyond the limit are in temporary files. Use it from any thread.
final class BodiesUnderWay: Sendable {
    /// Smaller bodies do not count, in bytes.
    static let smallest = 65_536
    /// The maximum number of bytes in memory, and in files.
    private static let (memoryLimit, fileLimit) = (16 << 20, 4 << 30)
    /// The maximum number of bodies that are being read from disk.
    private static let turnLimit = 2

    private struct Weak {
        weak var bytes: HeldBytes?
        let number: Int
    }

    private struct State {
        /// By entity tag.
        var held: [String: Weak] = [:]
        var (inMemory, inFiles) = (0, 0)
        /// The bytes of bodies that are free, and perhaps not the system's again.
        var freed = 0
        var turns = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
        /// The number of the last body.
        var number = 0
    }

    private let state = Mutex(State())

    // MARK: Holding

    /// True while a large body is being sent.
    var hasReaders: Bool { state.withLock { !$0.held.isEmpty } }

    /// An answer whose body is being sent to another client, too; nil if it is not.
    ///
    /// - Parameter answer: without its body.
    func sharing(_ answer: HTTPAnswer) -> HTTPAnswer? { bytes(answer.tag).map { answer.holding($0) } }

    private func bytes(_ tag: String?) -> HeldBytes? {
        guard let tag else { return nil }
        // Outside the lock, because the end of the bytes takes it.
        return state.withLock { $0.held[tag]?.bytes }
    }

    /// - Returns: nil if memory has no room.
    func holdAtOnce(_ answer: HTTPAnswer) -> HTTPAnswer? {
        let count = answer.body.count
        if count < Self.smallest { return answer }
        if let bytes = bytes(answer.tag), bytes.count == count { return answer.holding(bytes) }
        // One body may be larger than the limit, if it is alone.
        let hasRoom = state.withLock { state in
            guard state.inMemory == 0 || state.inMemory + count <= Self.memoryLimit else { return false }
            state.inMemory += count
            return true
        }
        return hasRoom ? answer.holding(hold(.memory(answer.body), count, answer.tag)) : nil
    }

    func hold(_ answer: HTTPAnswer) async -> HTTPAnswer {
        if let answer = holdAtOnce(answer) { return answer }
        let count = answer.body.count
        let hasRoom = state.withLock { state in
            guard state.inFiles + count <= Self.fileLimit else { return false }
            state.inFiles += count
            return true
        }
        guard hasRoom else { return Self.noRoom }
        guard let file = await Self.spooled(answer.body) else {
            state.withLock { $0.inFiles -= count }
            return Self.noRoom
        }
        return answer.holding(hold(.file(file), count, answer.tag))
    }

    private func hold(_ place: HeldBytes.Place, _ count: Int, _ tag: String?) -> HeldBytes {
        let number = state.withLock { state in
            state.number += 1
            return state.number
        }
        let bytes = HeldBytes(place, count: count) { [weak self] in self?.end(place, count, tag, number) }
        if let tag { state.withLock { $0.held[tag] = Weak(bytes: bytes, number: number) } }
        return bytes
    }

    private func end(_ place: HeldBytes.Place, _ count: Int, _ tag: String?, _ number: Int) {
        state.withLock { state in
            switch place {
            case .memory: state.inMemory -= count
            case .file: state.inFiles -= count
            }
            state.freed += count
            // By the number: reading the weak reference here could end other bytes, which take the lock.
            if let tag, state.held[tag]?.number == number { state.held[tag] = nil }
        }
    }

    @concurrent
    private static func spooled(_ data: Data) async -> SpoolFile? {
        do {
            let file = try SpoolFile()
            // The data may have several regions.
            for region in data.regions { try region.withUnsafeBytes { try file.append($0) } }
            return file
        } catch { return nil }
    }

    private static let noRoom = Problem(
        503, "too-many-readers", "too many large pictures are being sent to clients; try again later",
        headers: ["Retry-After": "10"]
    ).answer

    /// Counts memory of requests that is free now.
    func countFree(_ count: Int) { if count >= Self.smallest { state.withLock { $0.freed += count } } }

    /// Returns the memory of sent answers and of ended requests to the system. Called each second.
    func tidy() {
        let isMuch = state.withLock { state in
            if state.freed < 4 << 20 { return false }
            state.freed = 0
            return true
        }
        if isMuch { DispatchQueue.global(qos: .utility).async { offstage_return_memory() } }
    }

    // MARK: Turns

    /// Permission to have a large body in memory that is not held yet; it ends with this object.
    final class Turn: Sendable {
        private let bodies: BodiesUnderWay

        fileprivate init(_ bodies: BodiesUnderWay) { self.bodies = bodies }

        deinit { bodies.giveTurn() }
    }

    /// Waits for permission.
    func turn() async -> Turn {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.turns < Self.turnLimit {
                    state.turns += 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
        return Turn(self)
    }

    private func giveTurn() {
        let next = state.withLock { state in
            if state.waiting.isEmpty {
                state.turns -= 1
                return CheckedContinuation<Void, Never>?.none
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}

extension HTTPAnswer {
    fileprivate var tag: String? { headers.first { $0.name == "ETag" }?.value }

    fileprivate func holding(_ bytes: HeldBytes) -> HTTPAnswer {
        var answer = self
        answer.held = bytes
        answer.body = Data()
        answer.turn = nil
        return answer
    }
}
