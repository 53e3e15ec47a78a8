import Foundation
import Offstage
import OffstageGLib
import OffstageHTML
import OffstageRequests
import OffstageService
import OffstageShared

/// `offstage shared`: the database that several machines share.
struct SharedCommand: Command {
    static let name = "shared"
    static let summary = "Set up and inspect a database that machines share"

    static let options = OptionTable(
        operands: "init|stats|nodes|dead|retry|trim URL [KEY]",
        summary: """
            init creates the tables and the roles in a PostgreSQL database, or upgrades the tables. stats counts pictures
            and jobs, nodes lists the machines. dead lists the documents that Offstage gave up on because they ended the
            processes that drew them; retry lets KEY, or all of them, be drawn again. trim removes old pictures.
            Passwords are read from PGPASSFILE or a service file. A connection to another machine uses TLS.
            """,
        examples: [
            .init("Create the tables", "offstage shared init postgresql://db.example.org/offstage"),
            .init(
                "Keep the pictures of one month, at most 50 GB",
                "offstage shared trim service=offstage --days 30 --bytes 50e9"),
        ],
        options: [
            .init("days", value: "N", help: "With trim: remove the pictures that nobody has used for N days"),
            .init("bytes", value: "N", help: "With trim: remove the least recently used pictures beyond N bytes"),
            .init("json", help: "Print JSON on standard output; nodes and dead print a line for each"),
        ])

    private enum Action: String, CaseIterable { case `init`, stats, nodes, dead, retry, trim }

    private let action: Action
    private let database: SharedDatabase
    private let key: Digest?
    private let days: Double?
    private let bytes: Int?
    private let isJSON: Bool

    init(_ options: ParsedOptions) throws {
        let words = Action.allCases.map(\.rawValue)
        guard let word = options.operands.first, let action = Action(rawValue: word) else {
            guard let word = options.operands.first else {
                throw UsageError("name an action for the shared database: \(words.formatted("or"))")
            }
            throw Suggestion.error(
                "shared has no action '\(word)'", for: word, among: words,
                otherwise: "it has \(words.formatted("and"))")
        }
        guard options.operands.count == 2 || options.operands.count == 3 && action == .retry else {
            throw UsageError("shared \(word) needs one database: offstage shared \(word) URL")
        }
        key = options.operands.count == 3 ? Digest(options.operands[2]) : nil
        if options.operands.count == 3, key == nil {
            throw UsageError("'\(options.operands[2])' is not a key; `offstage shared dead URL` lists them")
        }
        days = try options.number("days", in: 0...36_500)
        bytes = try options.number("bytes", in: 0...1e18).map { Int($0) }
        if action != .trim, days != nil || bytes != nil { throw UsageError("--days and --bytes require trim") }
        self.action = action
        isJSON = options.has("json")
        database = SharedDatabase(try SharedOptions.address(options.operands[1]))
    }

    func run() throws -> ExitCode {
        let (action, database, isJSON) = (action, database, isJSON)
        return try MainLoop.run {
            do throws(SharedError) {
                let lines: [String]
                switch action {
                case .`init`: lines = SharedReport.initialized(try await database.initialize(), isJSON)
                case .stats: lines = SharedReport.statistics(try await database.statistics(), isJSON)
                case .nodes: lines = try await database.nodes().map { SharedReport.node($0, isJSON) }
                case .dead: lines = try await database.deadJobs().map { SharedReport.dead($0, isJSON) }
                case .retry: lines = [SharedReport.count(try await database.retry(key), "freed", isJSON)]
                case .trim:
                    let count = try await database.trim(olderThan: days, to: bytes)
                    lines = [SharedReport.count(count, "removed", isJSON)]
                }
                await database.close()
                for line in lines { try? Console.print(line) }
                return .success
            } catch { throw SharedOptions.failure(error) }
        }
    }
}
