import Foundation
import Offstage
import OffstageRequests
import OffstageService
import OffstageWebKit

/// `offstage info`: reports what files say about themselves, and draws nothing.
struct InfoCommand: Command {
    static let name = "info"
    static let summary = "Report the size, kind and frames of files without rendering them"

    static let options = OptionTable(
        operands: "FILE|FOLDER…",
        summary: """
            Reads the heads of files and reports the kind, the size, the frames and the colour profile of images. Workers
            read them in a jail, and nothing is decoded. The exit code is 1 if a file cannot be read.
            """,
        examples: [
            .init("A photo's facts", "offstage info photo.jpg"),
            .init("A folder's, for programs", "offstage info photos --json"),
        ],
        common: ["json"],
        options: [.init("json", help: "Print a JSON object per file on standard output")]
            + EngineOptions.table.filter { $0.name.hasSuffix("sandbox") } + SourceRegistry.limits)

    private let operands: [String]
    private let options: ParsedOptions
    private let engines: EngineOptions
    private let isJSON: Bool

    init(_ options: ParsedOptions) throws {
        guard !options.operands.isEmpty else { throw UsageError("name files or folders to report on") }
        operands = options.operands
        engines = try EngineOptions(options)
        isJSON = options.has("json")
        self.options = ParsedOptions(values: options.values.filter { $0.key != "json" }, operands: [])
    }

    func run() throws -> ExitCode {
        let inputs = try InputList.expand(operands)
        return try MainLoop.run {
            let inspectors = Inspectors(engines: engines)
            var hasFailed = false
            for input in inputs {
                do {
                    let facts = try await inspectors.facts(about: input, options)
                    try Console.print(isJSON ? Self.json(input.name, facts) : Self.text(input.name, facts))
                } catch let error as FileError {
                    throw error
                } catch {
                    hasFailed = true
                    let isNamed = error is InputError || error is SourceFileError
                    Console.error(isNamed ? "\(error)" : "\(input.name): \(error)")
                }
            }
            await inspectors.shutDown()
            return hasFailed ? .someFailed : .success
        }
    }

    /// `photo.jpg: JPEG, 4000 × 3000 px, …`: the important facts first, the others by name.
    private static func text(_ name: String, _ facts: [String: SourceFact]) -> String {
        var rest = facts
        var words: [String] = []
        if case .text(let kind)? = rest.removeValue(forKey: "kind") { words.append(kind) }
        if let width = rest.removeValue(forKey: "width"), let height = rest.removeValue(forKey: "height") {
            words.append("\(width.text) × \(height.text) px")
        }
        words += rest.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.text)" }
        return "\(name): \(words.joined(separator: ", "))".printable
    }

    private static func json(_ name: String, _ facts: [String: SourceFact]) throws -> String {
        var object = facts
        object["source"] = .text(name)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(object), as: UTF8.self)
    }
}

extension SourceFact {
    fileprivate var text: String {
        switch self {
        case .number(let number): number == number.rounded() ? "\(Int(clamping: Int64(number)))" : "\(number)"
        case .text(let text): text
        case .flag(let flag): flag ? "yes" : "no"
        }
    }
}

/// The inspectors of the sources that occur, each made once.
@MainActor
private final class Inspectors {
    private let engines: EngineOptions
    private var bySource: [String: any SourceInspector] = [:]

    init(engines: EngineOptions) { self.engines = engines }

    func facts(about input: Input, _ options: ParsedOptions) async throws -> [String: SourceFact] {
        let settings = try Settings(options, of: input.source)
        let document = try input.document(settings)
        let inspector = inspector(of: document.source)
        let request = try settings.request(for: document, identifier: input.identifier)
        guard let inspector else { return ["kind": .text(document.source.name)] }
        return try await inspector.facts(about: request)
    }

    private func inspector(of source: RegisteredSource) -> (any SourceInspector)? {
        if let known = bySource[source.name] { return known }
        let made = source.inspector?(engines)
        bySource[source.name] = made
        return made
    }

    func shutDown() async { for one in bySource.values { await one.shutDown() } }
}
