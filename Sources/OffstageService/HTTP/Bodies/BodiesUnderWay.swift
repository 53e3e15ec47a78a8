import COffstageSystem
import Foundation
import Offstage

/// The large bodies of answers that are being sent. However slowly clients read, they take this much memory: each picture once for
/// all its readers, and what does not fit in temporary files.
@MainActor
final class BodiesUnderWay {
    /// Bytes from which on a body counts.
    nonisolated static let smallest = 65_536
    /// Bytes in memory, and in files.
    private static let (memoryLimit, fileLimit) = (16 << 20, 4 << 30)
    /// Bodies on their way from the disk.
    private static let turnLimit = 2

    private struct Weak { weak var bytes: HeldBytes? }

    /// By entity tag.
    private var held: [String: Weak] = [:]
    private var (inMemory, inFiles) = (0, 0)
    private var freed = 0

    // MARK: Holding

    /// - Returns: nil where there is no room in memory.
    func holdAtOnce(_ answer: HTTPAnswer) -> HTTPAnswer? {
        if answer.body.count < Self.smallest { return answer }
        var answer = answer
        let tag = answer.headers.first { $0.name == "ETag" }?.value
        let count = answer.body.count
        if let bytes = tag.flatMap({ held[$0]?.bytes }), bytes.count == count {
            answer.held = bytes
        } else {
            // One that is larger than the limit has no better place where nothing else is.
            guard inMemory == 0 || inMemory + count <= Self.memoryLimit else { return nil }
            inMemory += count
            answer.held = hold(.memory(answer.body), count, tag) { $0.inMemory -= count }
        }
        answer.body = Data()
        answer.turn = nil
        return answer
    }

    func hold(_ answer: HTTPAnswer) async -> HTTPAnswer {
        if let answer = holdAtOnce(answer) { return answer }
        let count = answer.body.count
        guard inFiles + count <= Self.fileLimit else { return Self.noRoom }
        inFiles += count
        guard let file = await Self.spooled(answer.body) else {
            inFiles -= count
            return Self.noRoom
        }
        var answer = answer
        let tag = answer.headers.first { $0.name == "ETag" }?.value
        answer.held = hold(.file(file), count, tag) { $0.inFiles -= count }
        answer.body = Data()
        answer.turn = nil
        return answer
    }

    private func hold(
        _ place: HeldBytes.Place, _ count: Int, _ tag: String?, _ end: @escaping @MainActor (BodiesUnderWay) -> Void
    ) -> HeldBytes {
        let bytes = HeldBytes(place, count: count) { [weak self] in
            guard let self else { return }
            end(self)
            freed += count
            if let tag, held[tag]?.bytes == nil { held[tag] = nil }
        }
        if let tag { held[tag] = Weak(bytes: bytes) }
        return bytes
    }

    @concurrent
    private nonisolated static func spooled(_ data: Data) async -> SpoolFile? {
        do {
            let file = try SpoolFile()
            // It need not be in one piece.
            for region in data.regions { try region.withUnsafeBytes { try file.append($0) } }
            return file
        } catch { return nil }
    }

    private static let noRoom = Problem(
        503, "too-many-readers", "too many large pictures are on their way to clients; ask again later",
        headers: [(name: "Retry-After", value: "10")]
    ).answer

    /// Gives back to the system what readers had; called each second.
    func tidy() {
        if freed < 4 << 20 { return }
        freed = 0
        DispatchQueue.global(qos: .utility).async { offstage_return_memory() }
    }

    // MARK: Turns

    /// A place among those that have a large body in memory that is not held yet; given back with the object.
    final class Turn: Sendable {
        private let bodies: BodiesUnderWay

        fileprivate init(_ bodies: BodiesUnderWay) { self.bodies = bodies }

        deinit { Task { @MainActor [bodies] in bodies.giveTurn() } }
    }

    private var turns = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Waits until few enough have one.
    func turn() async -> Turn {
        if turns < Self.turnLimit {
            turns += 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
        return Turn(self)
    }

    private func giveTurn() {
        if waiting.isEmpty { turns -= 1 } else { waiting.removeFirst().resume() }
    }
}
