import Foundation
import Offstage
import OffstageGLib
import OffstageHTML
import OffstageRequests
import OffstageService

/// `offstage cache`: shows and cleans the cache.
struct CacheCommand: Command {
    static let name = "cache"
    static let summary = "Inspect or clean the cache"

    static let options = OptionTable(
        operands: "path|stats|list|trim|clear|verify|export FOLDER|import FOLDER|explain",
        summary: """
            path prints the cache's folder, stats its size, list its pictures by identifier. trim evicts pictures
            beyond the limits now, but none that clients of `offstage serve` have PUT. clear removes all pictures,
            including those. verify finds damaged pictures and removes them. export copies all pictures into FOLDER, and
            import copies those of FOLDER into the cache, for machines of one class (see `offstage doctor`).
            `offstage cache explain --help` describes how to ask why a picture would be rendered again.
            """,
        examples: [
            .init("The size of the cache", "offstage cache stats"),
            .init("Pictures for other machines, such as the next run of a build", "offstage cache export pictures"),
        ],
        options: [
            CacheOptions.folder,
            .init("json", help: "Print JSON on standard output; list prints a line per picture"),
        ])

    private enum Action: String, CaseIterable {
        case path, stats, list, trim, clear, verify, export, `import`
        var takesFolder: Bool { self == .export || self == .import }
    }

    private let action: Action
    /// The other store, of `export` and `import`.
    private let other: PictureStore?
    private let store: PictureStore
    private let isJSON: Bool

    init(_ options: ParsedOptions) throws {
        if options.operands.first == ExplainCommand.words[1] {
            throw UsageError("put explain first: offstage \(ExplainCommand.name) \(ExplainCommand.options.operands)")
        }
        guard let word = options.operands.first, let action = Action(rawValue: word),
            action.takesFolder || options.operands.count == 1
        else {
            let known = Action.allCases.map(\.rawValue) + ExplainCommand.words.dropFirst()
            let word = options.operands.count == 1 ? options.operands[0] : ""
            throw Suggestion.nearest(to: word, among: known).isEmpty
                ? UsageError("name an action for the cache: \(known.formatted("or"))")
                : Suggestion.error("cache has no action '\(word)'", for: word, among: known, otherwise: "")
        }
        if action.takesFolder, options.operands.count != 2 || options.operands[1].isEmpty {
            throw UsageError("cache \(word) needs one folder: offstage cache \(word) FOLDER")
        }
        self.action = action
        other = action.takesFolder ? try CacheTransfer.store(at: options.operands[1], isThere: action == .import) : nil
        store = try CacheOptions.store(options)
        isJSON = options.has("json")
    }

    func run() throws -> ExitCode {
        let (action, store, isJSON) = (action, store, isJSON)
        if action == .path {
            try Console.print(isJSON ? Self.json(["path": store.folder]) : store.folder)
            return .success
        }
        if let other {
            let isExport = action == .export
            return try CacheTransfer(
                from: isExport ? store : other, to: isExport ? other : store, isExport: isExport, isJSON: isJSON
            ).run()
        }
        // Do not create a cache in order to look into it.
        guard access(store.folder, F_OK) == 0 else { return try Self.tellNothing(action, store, isJSON) }
        return try MainLoop.run {
            // An unusable cache has no statistics, and a warning has reported it. The cache can still be removed.
            if action != .clear, case _ = await store.entries(limit: 0), !store.isAvailable { return .someFailed }
            switch action {
            case .path, .export, .import: break
            case .stats: try Self.tell(await store.statistics(), of: store, isJSON)
            case .list: try await Self.list(store, isJSON)
            case .trim:
                await store.trim()
                try Self.tellRemoved(store.counters.evicted, isJSON)
            case .clear:
                let statistics = await store.statistics()
                try await store.removeAll()
                try Self.tellRemoved(statistics.pictures, isJSON, pinned: statistics.pinned)
            case .verify:
                let found = await store.verify()
                await store.finish()
                try Self.tell(found, isJSON)
                return found.isWhole ? .success : .someFailed
            }
            await store.finish()
            return .success
        }
    }

    /// Prints the result for a cache that does not exist.
    private static func tellNothing(_ action: Action, _ store: PictureStore, _ isJSON: Bool) throws -> ExitCode {
        switch action {
        case .path, .list, .export, .import: break
        case .stats: try tell(.none, of: store, isJSON)
        case .trim, .clear: try tellRemoved(0, isJSON)
        case .verify: try tell(StoreVerification.none, isJSON)
        }
        return .success
    }

    private static func tell(_ statistics: StoreStatistics, of store: PictureStore, _ isJSON: Bool) throws {
        let numbers = [
            ("pictures", statistics.pictures), ("contents", statistics.contents),
            ("contentBytes", statistics.contentBytes), ("diskBytes", statistics.diskBytes),
            ("pinned", statistics.pinned), ("pinnedBytes", statistics.pinnedBytes), ("limitBytes", store.limits.bytes),
        ]
        if isJSON { return try Console.print(json(Dictionary(uniqueKeysWithValues: numbers))) }
        try Console.print(
            """
            \(pictures(statistics.pictures)), \(statistics.contents) different, \(megabytes(statistics.contentBytes))
            \(megabytes(statistics.diskBytes)) on disk, at most \(megabytes(store.limits.bytes)), in \(store.folder)
            """)
        if statistics.pinned > 0 {
            try Console.print(
                "\(statistics.pinned) of them were PUT by clients and are never evicted, "
                    + megabytes(statistics.pinnedBytes))
        }
    }

    private static func list(_ store: PictureStore, _ isJSON: Bool) async throws {
        for record in await store.entries() {
            let (key, info) = (record.key, record.info)
            if !isJSON {
                let part = key.part.map { "-\($0)" } ?? ""
                try Console.print(
                    "\(key.identifier)\(part)  \(key.variant)  \(info.size)  \(record.byteCount) bytes".printable)
                continue
            }
            var object: [String: any Sendable] = [
                "identifier": key.identifier, "variant": key.variant, "width": info.size.width,
                "height": info.size.height, "scale": info.scale, "bytes": record.byteCount,
                "fingerprint": info.fingerprint.description, "files": info.dependencies.map(\.path),
                "used": ISO8601DateFormatter().string(from: record.used),
            ]
            if let part = key.part { object["part"] = part }
            if let source = Origin(info.extra)?.file { object["source"] = source }
            try Console.print(json(object))
        }
    }

    /// - Parameter pinned: the removed pictures that clients had stored with PUT.
    private static func tellRemoved(_ count: Int, _ isJSON: Bool, pinned: Int = 0) throws {
        if isJSON { return try Console.print(json(["removed": count, "removedPinned": pinned])) }
        try Console.print(
            "\(pictures(count)) removed" + (pinned > 0 ? ", \(pinned) of which clients had stored with PUT" : ""))
    }

    private static func tell(_ found: StoreVerification, _ isJSON: Bool) throws {
        if isJSON {
            try Console.print(
                json([
                    "checked": found.checked, "damaged": found.damaged.map(\.identifier), "unused": found.unused,
                    "database": found.databaseErrors,
                ]))
        } else {
            for key in found.damaged { Console.error("damaged, and removed: \(key)") }
            for error in found.databaseErrors {
                Console.error("the database was damaged, and a new one was started: \(error)")
            }
            try Console.print("\(pictures(found.checked)) checked, \(found.damaged.count) damaged")
        }
    }

    private static func pictures(_ count: Int) -> String { "\(count) \(count == 1 ? "picture" : "pictures")" }

    /// Keys in alphabetical order. Encoding texts, numbers and lists of texts cannot fail.
    private static func json(_ object: [String: any Sendable]) -> String {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        let data = (try? JSONSerialization.data(withJSONObject: object, options: options)) ?? Data()
        return String(decoding: data.withoutControls, as: UTF8.self)
    }

    private static func megabytes(_ bytes: Int) -> String { StoreEvictions.megabytes(bytes) }
}
