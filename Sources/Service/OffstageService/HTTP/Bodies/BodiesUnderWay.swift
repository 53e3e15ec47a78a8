import COffstageSystem
import Foundation
import Offstage
import Synchronization

/// The large bodies of answers that are being sent. Slow clients cannot fill the memory: all readers of a picture share its bytes,
/// and bodies beyond the limit are in temporary files. Use it from any thread.
final class BodiesUnderWay: Sendable {
    /// In bytes; smaller bodies do not count.
    static let smallest = 65_536
    /// The maximum number of bytes in memory.
    private let memoryLimit: Int
    /// Bytes in files. Each client has a share, so a slow reader cannot block others' large pictures.
    private let files: MemoryBudget
    /// The maximum number of bodies that are being read from disk.
    private static let turnLimit = 2

    private struct Weak {
        weak var bytes: HeldBytes?
        let number: Int
    }

    private struct State {
        /// The bodies by entity tag.
        var held: [String: Weak] = [:]
        var inMemory = 0
        /// The number of bytes of freed bodies that may not have been returned to the system yet.
        var freed = 0
        var turns = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
        /// The number of the last body.
        var number = 0
    }

    private let state = Mutex(State())

    /// - Parameters:
    ///   - memoryLimit: bytes; default 16 MiB.
    ///   - fileLimit: bytes of temporary files; default 4 GiB.
    init(memoryLimit: Int = 16 << 20, fileLimit: Int = 4 << 30) {
        (self.memoryLimit, files) = (memoryLimit, MemoryBudget(limit: fileLimit))
    }

    // MARK: Holding

    /// True while a large body is being sent.
    var hasReaders: Bool { state.withLock { !$0.held.isEmpty } }

    /// The answer with a body that is already being sent to another client; nil if it is not.
    ///
    /// - Parameter answer: without its body.
    func sharing(_ answer: HTTPAnswer) -> HTTPAnswer? { bytes(answer.tag).map { answer.holding($0) } }

    private func bytes(_ tag: String?) -> HeldBytes? {
        guard let tag else { return nil }
        // Release the bytes outside the lock: their deinit takes it.
        return state.withLock { $0.held[tag]?.bytes }
    }

    /// - Returns: nil if there is no room in memory.
    func holdAtOnce(_ answer: HTTPAnswer) -> HTTPAnswer? {
        let count = answer.body.count
        if count < Self.smallest { return answer }
        if let bytes = bytes(answer.tag), bytes.count == count { return answer.holding(bytes) }
        // A single body may exceed the limit.
        let hasRoom = state.withLock { state in
            guard state.inMemory == 0 || state.inMemory + count <= memoryLimit else { return false }
            state.inMemory += count
            return true
        }
        return hasRoom ? answer.holding(hold(.memory(answer.body), count, answer.tag)) : nil
    }

    /// - Parameter client: the reader. A body that does not fit into memory is charged to its share of the files.
    func hold(_ answer: HTTPAnswer, for client: ClientShare) async -> HTTPAnswer {
        if let answer = holdAtOnce(answer) { return answer }
        let count = answer.body.count
        let charge = files.account(client).charge()
        do throws(MemoryBudget.Refusal) { try charge.grow(by: count) } catch {
            return Self.noRoom(error == .share ? 429 : 503).answer
        }
        guard let file = await Self.spooled(answer.body) else { return Self.noRoom(503).answer }
        return answer.holding(hold(.file(file, charge), count, answer.tag))
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
            if case .memory = place { state.inMemory -= count }
            state.freed += count
            // Compare numbers: reading the weak reference could release other bytes, whose deinit takes the lock.
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

    private static func noRoom(_ status: Int) -> Problem {
        Problem(
            status, "too-many-readers", "too many large pictures are being sent; read them, or try again later",
            headers: ["Retry-After": "10"])
    }

    /// Counts memory that requests have freed.
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

    // MARK: Permits

    /// A permit to have a large body in memory before it is registered. It ends with this object.
    final class Turn: Sendable {
        private let bodies: BodiesUnderWay

        fileprivate init(_ bodies: BodiesUnderWay) { self.bodies = bodies }

        deinit { bodies.giveTurn() }
    }

    /// Waits for a permit.
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
