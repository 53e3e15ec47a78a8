import Foundation
import Offstage
import OffstageWebKit

/// `offstage cache`: a look at what is kept, and a hand on it.
struct CacheCommand: Command {
    static let name = "cache"
    static let summary = "Show or clean what is kept between runs"

    static let options = OptionTable(
        operands: "path|stats|list|trim|clear|verify|explain",
        summary: """
            path tells where pictures are kept, stats how much there is, list what, by identifier.
            trim removes what is over the limits now, clear all of it, verify what is damaged.
            `offstage cache explain --help` tells how to ask why a picture would be drawn again.
            """,
        options: [
            CacheOptions.folder,
            .init("json", help: "JSON on standard output; list gives a line a picture"),
        ])

    private enum Action: String, CaseIterable { case path, stats, list, trim, clear, verify }

    private let action: Action
    private let store: ImageStore
    private let isJSON: Bool

    init(_ options: ParsedOptions) throws {
        if options.operands.first == ExplainCommand.words[1] {
            throw UsageError("put explain first: offstage \(ExplainCommand.name) \(ExplainCommand.options.operands)")
        }
        guard options.operands.count == 1, let action = Action(rawValue: options.operands[0]) else {
            let known = (Action.allCases.map(\.rawValue) + ExplainCommand.words.dropFirst()).formatted("or")
            throw UsageError("say what to do with the cache: \(known)")
        }
        self.action = action
        store = try CacheOptions.store(options)
        isJSON = options.has("json")
    }

    func run() throws -> ExitCode {
        let (action, store, isJSON) = (action, store, isJSON)
        return try MainLoop.run {
            switch action {
            case .path: try Console.print(isJSON ? Self.json(["path": store.folder]) : store.folder)
            case .stats: try await Self.tellStatistics(of: store, isJSON)
            case .list: try await Self.list(store, isJSON)
            case .trim: try await Self.trim(store, isJSON)
            case .clear: try await store.removeAll()
            case .verify: return try await Self.verify(store, isJSON)
            }
            await store.finish()
            return .success
        }
    }

    private static func tellStatistics(of store: ImageStore, _ isJSON: Bool) async throws {
        let statistics = await store.statistics()
        let numbers = [
            ("pictures", statistics.pictures), ("contents", statistics.contents),
            ("contentBytes", statistics.contentBytes), ("diskBytes", statistics.diskBytes),
            ("limitBytes", store.limits.bytes),
        ]
        if isJSON { return try Console.print(json(Dictionary(uniqueKeysWithValues: numbers))) }
        try Console.print(
            """
            \(statistics.pictures) pictures, \(statistics.contents) different ones, \(megabytes(statistics.contentBytes))
            \(megabytes(statistics.diskBytes)) on the disk of \(megabytes(store.limits.bytes)) at most, in \(store.folder)
            """)
    }

    private static func list(_ store: ImageStore, _ isJSON: Bool) async throws {
        for record in await store.entries() {
            let (key, info) = (record.key, record.info)
            if !isJSON {
                let part = key.part.map { "-\($0)" } ?? ""
                try Console.print("\(key.identifier)\(part)  \(key.variant)  \(info.size)  \(record.byteCount) bytes")
                continue
            }
            var object: [String: any Sendable] = [
                "identifier": key.identifier, "variant": key.variant, "width": info.size.width,
                "height": info.size.height, "scale": info.scale, "bytes": record.byteCount,
                "fingerprint": info.fingerprint.description, "files": info.dependencies.map(\.path),
                "used": ISO8601DateFormatter().string(from: record.used),
            ]
            if let part = key.part { object["part"] = part }
            try Console.print(json(object))
        }
    }

    private static func trim(_ store: ImageStore, _ isJSON: Bool) async throws {
        await store.trim()
        let removed = store.counters.evicted
        try Console.print(isJSON ? json(["removed": removed]) : "\(removed) pictures removed")
    }

    private static func verify(_ store: ImageStore, _ isJSON: Bool) async throws -> ExitCode {
        let found = await store.verify()
        await store.finish()
        if isJSON {
            try Console.print(
                json([
                    "checked": found.checked, "damaged": found.damaged.map(\.identifier), "unused": found.unused,
                    "database": found.databaseErrors,
                ]))
        } else {
            for key in found.damaged { Console.error("damaged, and removed: \(key)") }
            for error in found.databaseErrors { Console.error("the database was damaged, and is begun anew: \(error)") }
            try Console.print("\(found.checked) pictures checked, \(found.damaged.count) damaged")
        }
        return found.isWhole ? .success : .someFailed
    }

    /// Keys in alphabetical order. Texts, numbers and lists of texts: it cannot fail.
    private static func json(_ object: [String: any Sendable]) -> String {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        return String(
            decoding: (try? JSONSerialization.data(withJSONObject: object, options: options)) ?? Data(), as: UTF8.self)
    }

    private static func megabytes(_ bytes: Int) -> String { String(format: "%.1f MB", Double(bytes) / 1e6) }
}
