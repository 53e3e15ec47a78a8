import Foundation
import Offstage
import OffstageGLib
import OffstageHTML
import OffstageRequests

/// `offstage cache explain`: explains why a picture would come from the cache or be drawn again.
struct ExplainCommand: Command {
    static let name = "cache explain"
    static let summary = "Explain why a picture would be rendered again"

    static let options = OptionTable(
        operands: "ID|FILE|-",
        summary: """
            Reports whether a picture is in the cache and, if it would be rendered again, what changed: its
            document, an option, a file that it uses, a font. FILE is the picture or the HTML file, ID the
            identifier of a row, and - the document on standard input. It uses the options of the last run;
            those given here override them. Nothing is rendered. The exit code is 1 if the picture is not in the cache.
            """,
        examples: [.init("Is page.png up to date?", "offstage cache explain page.png")],
        common: ["cache", "json", "stdin"],
        options: [
            CacheOptions.folder,
            .init("json", help: "Print a JSON object per picture on standard output"),
            .init("stdin", help: "Compare the earlier standard input with the current one"),
        ] + RowSettings.table + [EngineOptions.fonts].grouped(.appearance))

    private let word: String
    private let store: PictureStore
    private let options: ParsedOptions
    private let isJSON: Bool
    private let readsStandardInput: Bool

    /// The options of this command only. The options of the drawing come from the earlier drawing.
    private static let own: Set = ["cache", "json", "stdin"]

    static func takesSetting(_ name: String) -> Bool { own.contains(name) }

    init(_ options: ParsedOptions) throws {
        guard options.operands.count == 1, !options.operands[0].isEmpty else {
            throw UsageError("name one picture, one HTML file or one row's identifier")
        }
        word = options.operands[0]
        store = try CacheOptions.store(options)
        isJSON = options.has("json")
        readsStandardInput = options.has("stdin") || word == "-"
        self.options = ParsedOptions(values: options.values.filter { !Self.own.contains($0.key) }, operands: [])
        // Report invalid options as errors in the command line, not in the picture.
        try OptionUse(self.options).check()
        _ = try Settings(OptionUse(self.options).options(for: SourceRegistry.first))
    }

    func run() throws -> ExitCode {
        let (word, store, options, isJSON) = (word, store, options, isJSON)
        let readsStandardInput = readsStandardInput
        defer { PrivateFonts.discard() }
        return try MainLoop.run {
            // Do not create a cache in order to look into it.
            let isThere = access(store.folder, F_OK) == 0
            let found = isThere ? await CachedDrawing.find(word, in: store) : []
            if readsStandardInput { try StandardInput.remember() }
            let explainer = try Explainer(store: store, options: options, readsStandardInput: readsStandardInput)
            try PrivateFonts.apply(options.string("fonts") ?? found.first?.origin?.options["fonts"]?.first)
            var all: [Explanation] = []
            for drawing in found { all.append(await explainer.explain(drawing)) }
            if found.isEmpty, store.isAvailable { all.append(Self.absent(word, in: store)) }
            for one in all { try Console.print(isJSON ? one.json : one.text) }
            if isThere { await store.finish() }
            return found.isEmpty ? .someFailed : .success
        }
    }

    private static func absent(_ word: String, in store: PictureStore) -> Explanation {
        let reasons = [
            "no cached picture in \(store.folder) has this name or was rendered from it",
            "`offstage render` renders and caches it; for a copy in another place, name the HTML file",
        ]
        return Explanation(
            identifier: word, state: .absent, reasons: reasons.map { .init(kind: .source, message: $0) })
    }
}
