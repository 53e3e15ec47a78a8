import Foundation
import Offstage
import Synchronization

/// Stores pictures and ends jobs, in the order of the calls. Calls during a statement are collected for the next one,
/// so that a busy node needs one transaction for many pictures. While PostgreSQL is unavailable, pictures wait here, up
/// to a limit.
final class FinishBatch: Sendable {
    enum Item: Sendable {
        case picture(key: Digest, SharedDrawing, isNew: Bool)
        /// The picture is no longer trusted.
        case withdrawn(key: Digest)
        case end(Digest)
        case failure(Digest, JobEnd)

        var bytes: Int {
            if case .picture(_, let drawing, _) = self {
                drawing.parts.reduce(1000) { $0 + $1.data.count }
            } else {
                100
            }
        }
    }

    private struct State {
        var isRunning = false
        var items: [Item] = []
        var bytes = 0
        var dropped = 0
        var idle: [CheckedContinuation<Void, Never>] = []
    }

    /// The maximum total size of waiting pictures, in bytes.
    private static let limit = 64 << 20
    /// The maximum size of a drawing, in bytes. A larger one might never be stored within a statement's time limit, and
    /// would block all others.
    private static let largest = 32 << 20
    /// The limits of one statement.
    private static let (mostItems, mostBytes) = (64, 8 << 20)

    private let connection: SharedConnection
    private let identity: SharedIdentity
    private let state = Mutex(State())
    private let report: @Sendable (Report) -> Void

    enum Report: Sendable {
        case failure(SharedError)
        /// The number of drawings that differed from other machines' drawings.
        case mismatch(Int)
    }

    init(
        _ connection: SharedConnection, of identity: SharedIdentity,
        report: @escaping @Sendable (Report) -> Void
    ) {
        (self.connection, self.identity, self.report) = (connection, identity, report)
    }

    /// The number of drawings not shared, because too many were waiting or they were too large.
    var dropped: Int { state.withLock { $0.dropped } }

    func add(_ items: [Item]) {
        let starts = state.withLock { state in
            for item in items {
                let bytes = item.bytes
                if case .picture = item, state.bytes > Self.limit || bytes > Self.largest {
                    state.dropped += 1
                    continue
                }
                state.items.append(item)
                state.bytes += bytes
            }
            if state.isRunning || state.items.isEmpty { return false }
            state.isRunning = true
            return true
        }
        if starts { Task { await run() } }
    }

    /// Returns when all pictures are stored, or when the rest cannot be stored now.
    func finish() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if state.isRunning { state.idle.append(continuation) }
                return !state.isRunning
            }
            if isIdle { continuation.resume() }
        }
    }

    private func run() async {
        while true {
            let batch = state.withLock { state in
                var bytes = 0
                let batch = Array(
                    state.items.prefix(Self.mostItems).prefix { item in
                        defer { bytes += item.bytes }
                        return bytes <= Self.mostBytes
                    })
                if batch.isEmpty { state.isRunning = false }
                return batch
            }
            if batch.isEmpty { return wakeIdle() }
            do throws(SharedError) {
                try await store(batch)
            } catch {
                report(.failure(error))
                if error.isPassing {
                    wakeIdle()
                    try? await Task.sleep(for: .milliseconds(500))
                    continue
                }
            }
            state.withLock { state in
                state.items.removeFirst(batch.count)
                state.bytes -= batch.reduce(0) { $0 + $1.bytes }
            }
        }
    }

    private func wakeIdle() {
        let idle = state.withLock { state in
            defer { state.idle = [] }
            return state.idle
        }
        for one in idle { one.resume() }
    }

    private func store(_ batch: [Item]) async throws(SharedError) {
        let identity = identity.now
        let mismatches = try await connection.run { (session) throws(SharedError) in
            try FinishStatement(batch, node: identity.id, machineClass: identity.machineClass).run(session)
        }
        if mismatches > 0 { report(.mismatch(mismatches)) }
    }
}

/// A batch, as the parameters of `offstage.finish`.
private struct FinishStatement {
    private var (ended, withdrawn) = ([Digest](), [Digest]())
    private var failures: [(key: Digest, end: JobEnd)] = []
    private var (digests, parts, contents) = ([Digest](), [Int](), [Data]())
    private var (keys, files, numbers, counts) = ([Digest](), [Digest](), [Int](), [Int]())
    private var (pictures, lengths, infos) = ([Digest](), [Int](), [String]())
    /// 1 for a picture that was just drawn.
    private var areNew: [Int] = []
    private let node: String
    private let machineClass: String

    init(_ batch: [FinishBatch.Item], node: String, machineClass: String) {
        (self.node, self.machineClass) = (node, machineClass)
        for item in batch {
            switch item {
            case .withdrawn(let key): withdrawn.append(key)
            case .end(let key): ended.append(key)
            case .failure(let key, let end): failures.append((key, end))
            case .picture(let key, let drawing, let isNew):
                let files = drawing.files
                for (number, part) in drawing.parts.enumerated() {
                    keys.append(key)
                    areNew.append(isNew && number == 0 ? 1 : 0)
                    self.files.append(files)
                    numbers.append(number)
                    counts.append(drawing.parts.count)
                    pictures.append(part.content)
                    lengths.append(part.data.count)
                    infos.append(part.info.json)
                    for (index, bytes) in BlobParts.split(part.data).enumerated() {
                        digests.append(part.content)
                        parts.append(index)
                        contents.append(bytes)
                    }
                }
            }
        }
    }

    func run(_ session: PQSession) throws(SharedError) -> Int {
        var mismatches = 0
        try session.run(
            """
            SELECT offstage.finish($1::bytea[], $2::text, $3::text, $4::bytea[], $5::integer[], $6::bytea[], $7::bytea[],
                $8::bytea[], $9::integer[], $10::integer[], $11::bytea[], $12::bigint[], $13::text[], $14::integer[])
            """,
            [
                .digests(ended), .text(node), .text(machineClass), .digests(digests), .integers(parts),
                .bytesList(contents), .digests(keys), .digests(files), .integers(numbers), .integers(counts),
                .digests(pictures), .integers(lengths), .texts(infos), .integers(areNew),
            ]
        ) { mismatches = $0.integer(0) }
        if !withdrawn.isEmpty {
            try session.run("DELETE FROM offstage.picture WHERE key = ANY($1::bytea[])", [.digests(withdrawn)])
        }
        for (key, end) in failures {
            try session.run(
                "SELECT offstage.fail($1::bytea, $2::text, $3::text, $4::integer, $5::text)",
                [.digest(key), .text(node), .text(end.state), .integer(end.crashes), .text(end.reason?.json)])
        }
        return mismatches
    }
}
