import Foundation
import Offstage

/// A step before a drawing: loads the dictionaries that a document needs to hyphenate its text.
extension WebStage {
    /// The time limit for loading the dictionaries, in seconds. The German one takes three seconds of processor time.
    private static let longest = 120.0

    /// Lays out a hyphenated word in each of the document's languages whose dictionary is slow to load, once per
    /// process. This way, the loading does not count against a document's time.
    func loadDictionaries(for snippet: Snippet, _ source: SourceText) async {
        let languages = missing(snippet, source).union(hyphenated.subtracting(dictionaries))
        if languages.isEmpty { return }
        let words = languages.sorted().map { "<p lang=\($0)>Silbentrennung" }.joined()
        let html = "<!doctype html><style>p{width:1px;hyphens:auto;-webkit-hyphens:auto}</style>\(words)"
        let scene = Scene(Snippet(html, identifier: ""), SourceText(Data(), charset: "UTF-8"))
        begin(scene, seconds: Self.longest, snippet.limits) { [weak self] in
            self?.interrupt?(Interruption($0, grace: snippet.limits.grace))
        }
        defer { endScene() }
        page = nil
        guard (try? await load(scene)) == true else { return }
        let answer = await outcome { evaluate("return String(document.body.scrollHeight)", $0) }
        if case .success = answer { dictionaries.formUnion(languages) }
    }

    /// The languages of a hyphenated text whose dictionaries are slow to load and not loaded.
    private func missing(_ snippet: Snippet, _ source: SourceText) -> Set<String> {
        guard source.hyphenates else { return [] }
        return source.languages.union([snippet.emulation.language].compactMap(\.self))
            .filter(Hyphenation.isSlow).subtracting(dictionaries)
    }

    /// Ends a drawing whose style sheet has just turned out to need dictionaries, before WebKit loads them during the
    /// document's time. The engine then loads them and draws the document again. At most once, because a dictionary may
    /// be damaged.
    ///
    /// - Returns: true if the drawing ends.
    func endsForDictionaries(_ scene: Scene) -> Bool {
        guard self.scene === scene, !scene.isOverdue, hyphenated.isEmpty else { return false }
        if lackedLanguages.isEmpty { lackedLanguages = missing(scene.snippet, scene.source) }
        if lackedLanguages.isEmpty { return false }
        interrupt?(.failed("dictionaries are missing"))
        return true
    }
}

/// The dictionaries of libhyphen that WebKit finds.
enum Hyphenation {
    /// The minimum size of a large dictionary, in bytes. Smaller dictionaries load in a few milliseconds.
    private static let large = 400_000

    static func isSlow(_ language: String) -> Bool {
        let name = language.split(separator: "-").first?.lowercased() ?? ""
        return slow.contains(name)
    }

    /// The languages with large dictionaries, such as `de`.
    private static let slow: Set<String> = {
        let folder = "/usr/share/hyphen"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return Set(
            names.filter { name in
                guard name.hasPrefix("hyph_"), name.hasSuffix(".dic") else { return false }
                var info = stat()
                return stat(folder + "/" + name, &info) == 0 && info.st_size > large
            }.map { String($0.dropFirst(5).prefix { $0 != "_" && $0 != "." }).lowercased() })
    }()
}
