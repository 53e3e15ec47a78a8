import COffstageSystem
import Foundation
import Offstage

/// The large bodies of answers that are being sent. Slow clients cannot fill the memory: all readers of a picture share its bytes,
/// and bodies beyond the limit are in temporary files.
@MainActor
final class BodiesUnderWay {
    /// Smaller bodies do not count, in bytes.
    nonisolated static let smallest = 65_536
    /// The maximum number of bytes in memory, and in files.
    private static let (memoryLimit, fileLimit) = (16 << 20, 4 << 30)
    /// The maximum number of bodies that are being read from disk.
    private static let turnLimit = 2

    private struct Weak { weak var bytes: HeldBytes? }

    /// By entity tag.
    private var held: [String: Weak] = [:]
    private var (inMemory, inFiles) = (0, 0)
    /// The bytes of bodies that are free, and perhaps not the system's again.
    private var freed = 0

    // MARK: Holding

    /// True while a large body is being sent.
    var hasReaders: Bool { !held.isEmpty }

    /// An answer whose body is being sent to another client, too; nil if it is not.
    ///
    /// - Parameter answer: without its body.
    func sharing(_ answer: HTTPAnswer) -> HTTPAnswer? {
        answer.tag.flatMap { held[$0]?.bytes }.map { answer.holding($0) }
    }

    /// - Returns: nil if memory has no room.
    func holdAtOnce(_ answer: HTTPAnswer) -> HTTPAnswer? {
        let count = answer.body.count
        if count < Self.smallest { return answer }
        if let bytes = answer.tag.flatMap({ held[$0]?.bytes }), bytes.count == count { return answer.holding(bytes) }
        // One body may be larger than the limit, if it is alone.
        guard inMemory == 0 || inMemory + count <= Self.memoryLimit else { return nil }
        inMemory += count
        return answer.holding(hold(.memory(answer.body), count, answer.tag) { $0.inMemory -= count })
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
        return answer.holding(hold(.file(file), count, answer.tag) { $0.inFiles -= count })
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
            // The data may have several regions.
            for region in data.regions { try region.withUnsafeBytes { try file.append($0) } }
            return file
        } catch { return nil }
    }

    private static let noRoom = Problem(
        503, "too-many-readers", "too many large pictures are being sent to clients; try again later",
        headers: ["Retry-After": "10"]
    ).answer

    /// Counts the body of a request, whose memory is free now.
    func freeRequestBody(of count: Int) { if count >= Self.smallest { freed += count } }

    /// Returns the memory of sent answers and of ended requests to the system. Called each second.
    func tidy() {
        if freed < 4 << 20 { return }
        freed = 0
        DispatchQueue.global(qos: .utility).async { offstage_return_memory() }
    }

    // MARK: Turns

    /// Permission to have a large body in memory that is not held yet; it ends with this object.
    final class Turn: Sendable {
        private let bodies: BodiesUnderWay

        fileprivate init(_ bodies: BodiesUnderWay) { self.bodies = bodies }

        deinit { Task { @MainActor [bodies] in bodies.giveTurn() } }
    }

    private var turns = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Waits for permission.
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
