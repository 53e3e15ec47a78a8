import Foundation
import Offstage
import Synchronization

/// Looks up drawings. Lookups requested during a statement share the next one.
final class LookBatch: Sendable {
    typealias Answer = CheckedContinuation<[SharedDrawing], Never>

    private struct State {
        var isRunning = false
        var waiting: [(key: Digest, answer: Answer)] = []
    }

    /// The maximum number of keys in one statement.
    private static let most = 64

    private let connection: SharedConnection
    private let state = Mutex(State())
    private let onFailure: @Sendable (SharedError) -> Void

    init(_ connection: SharedConnection, onFailure: @escaping @Sendable (SharedError) -> Void) {
        (self.connection, self.onFailure) = (connection, onFailure)
    }

    func drawings(for key: Digest) async -> [SharedDrawing] {
        await withCheckedContinuation { answer in
            let starts = state.withLock { state in
                state.waiting.append((key, answer))
                defer { state.isRunning = true }
                return !state.isRunning
            }
            if starts { Task { await run() } }
        }
    }

    private func run() async {
        while true {
            let batch = state.withLock { state in
                let batch = Array(state.waiting.prefix(Self.most))
                state.waiting.removeFirst(batch.count)
                if batch.isEmpty { state.isRunning = false }
                return batch
            }
            if batch.isEmpty { return }
            let keys = Array(Set(batch.map(\.key)))
            var found: [Digest: [SharedDrawing]] = [:]
            do throws(SharedError) {
                found = try await connection.run { (session) throws(SharedError) in try Self.look(keys, session) }
            } catch { onFailure(error) }
            for one in batch { one.answer.resume(returning: found[one.key] ?? []) }
        }
    }

    private struct Row {
        var key: Digest
        var files: Digest
        var count: Int
        var content: Digest
        var info: String
        var data: Data?
    }

    private static func look(_ keys: [Digest], _ session: PQSession) throws(SharedError) -> [Digest: [SharedDrawing]] {
        var rows: [Row] = []
        var old: [Digest] = []
        // The bytes of a small picture are in its row.
        try session.run(
            """
            SELECT p.key, p.files, p.part_count, p.digest, p.info::text, b.bytes, p.used < now() - interval '1 hour'
            FROM offstage.picture p
            LEFT JOIN offstage.blob b ON b.digest = p.digest AND b.part = 0 AND p.length <= $2
            WHERE p.key = ANY ($1::bytea[]) ORDER BY p.key, p.used DESC, p.files, p.part
            """, [.digests(keys), .integer(BlobParts.size)]
        ) { row in
            guard let key = row.digest(0), let files = row.digest(1), let content = row.digest(3) else { return }
            rows.append(
                Row(
                    key: key, files: files, count: row.integer(2), content: content, info: row.text(4),
                    data: row.isNull(5) ? nil : row.data(5)))
            if row.bool(6) { old.append(key) }
        }
        if !old.isEmpty {
            try session.run(
                """
                UPDATE offstage.picture SET used = now()
                WHERE key = ANY ($1::bytea[]) AND used < now() - interval '1 hour'
                """, [.digests(old)])
        }
        var found: [Digest: [SharedDrawing]] = [:]
        while let first = rows.first {
            let drawing = rows.prefix { $0.key == first.key && $0.files == first.files }
            rows.removeFirst(drawing.count)
            guard drawing.count == max(first.count, 1), let parts = try parts(drawing, session) else { continue }
            found[first.key, default: []].append(SharedDrawing(parts: parts))
        }
        return found
    }

    /// Nil if the drawing is damaged, or was written by a newer program.
    private static func parts(
        _ rows: ArraySlice<Row>, _ session: PQSession
    ) throws(SharedError) -> [SharedDrawing.Part]? {
        var parts: [SharedDrawing.Part] = []
        for row in rows {
            guard let info = PictureInfo(json: row.info) else { return nil }
            if let data = row.data {
                guard Digest(of: data) == row.content else { return nil }
                parts.append(.init(info: info, content: row.content, data: data))
            } else {
                guard let data = try BlobParts.read(row.content, session) else { return nil }
                parts.append(.init(info: info, content: row.content, data: data))
            }
        }
        return parts
    }
}
