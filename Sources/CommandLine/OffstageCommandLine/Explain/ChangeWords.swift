import Foundation
import Offstage
import OffstageRequests

/// Describes changes in the user's terms: options, files, fonts.
struct ChangeWords {
    /// The options of the cached drawing, and the current ones.
    let old: [String: [String]]
    let new: [String: [String]]
    /// The document's name in messages: `the file /a.html`.
    let document: String

    /// The options that determine a part of the fingerprint.
    private static let options: [String: [String]] = [
        "geometry": ["width", "max-width", "height", "min-height", "max-height", "viewport-height", "scale"],
        "selector": ["selector", "each", "outset"],
        "margins": ["trim", "padding"],
        "areas": ["areas"],
        "background": ["background"],
        "emulation": HTMLOptions.emulation.map(\.option.name),
        "scripts": ["javascript"],
        "strict fonts": ["strict-fonts"],
    ]

    func reasons(_ staleness: Staleness, from kept: Fingerprint, to now: Fingerprint) -> [Explanation.Reason] {
        staleness.parts.flatMap { reasons($0, kept, now, all: staleness.parts) } + staleness.files.map(reason)
    }

    private func reasons(
        _ part: Fingerprint.Change, _ kept: Fingerprint, _ now: Fingerprint, all: [Fingerprint.Change]
    ) -> [Explanation.Reason] {
        switch part.name {
        case "html": return [.init(kind: .document, message: "\(document) changed")]
        // The document itself usually declares the charset.
        case "charset" where all.contains { $0.name == "html" }: return []
        case "charset": return [.init(kind: .document, message: "the character set of \(document) changed")]
        case "style sheet": return styleSheets(kept, now)
        case "engine":
            return [.init(kind: .engine, message: "another version of WebKitGTK, GTK or Offstage is installed")]
        case "fonts":
            let options = changes(of: ["fonts"])
            if !options.isEmpty { return options }
            let message = new["fonts"].map { "a font in \($0[0]) was added, removed or changed" }
            return [
                .init(
                    kind: .fonts,
                    message: message ?? "a font was installed or removed, or fontconfig's settings changed")
            ]
        default:
            let found = changes(of: Self.options[part.name] ?? [])
            return found.isEmpty ? [.init(kind: .option, message: "the \(part.name) changed")] : found
        }
    }

    /// The options of these names that differ.
    func changes(of names: [String]) -> [Explanation.Reason] {
        names.compactMap { name in
            let (was, isNow) = (shown(name, old[name]), shown(name, new[name]))
            if was == isNow || Double(was) ?? .nan == Double(isNow) { return nil }
            return .init(kind: .option, name: name, message: "--\(name) was \(was), is \(isNow)")
        }
    }

    private func styleSheets(_ kept: Fingerprint, _ now: Fingerprint) -> [Explanation.Reason] {
        if old["css"] ?? [] != new["css"] ?? [] { return changes(of: ["css"]) }
        let sheets = [kept, now].map { $0.parts.filter { $0.name == "style sheet" } }
        return zip(new["css"] ?? [], zip(sheets[0], sheets[1])).compactMap { path, parts in
            parts.0 == parts.1 ? nil : .init(kind: .option, name: "css", message: "\(path), of --css, changed")
        }
    }

    private func reason(_ file: Fingerprint.Change) -> Explanation.Reason {
        let what =
            switch file.kind {
            case .changed: "\(file.name), which it uses, changed"
            case .added: "\(file.name), which was missing, now exists"
            case .removed: "\(file.name), which it uses, no longer exists"
            }
        return .init(kind: .file, name: file.name, message: what)
    }

    /// An option's values; if it has none, its default as in `--help`.
    private func shown(_ name: String, _ values: [String]?) -> String {
        if let values, !values.isEmpty { return values.joined(separator: ", ") }
        if values != nil { return "given" }
        let help = RowSettings.table.first { $0.name == name }?.help ?? ""
        return help.firstMatch(of: /default ([a-z0-9][^ ;,)]*)(?:[;,)]|$)/).map { String($0.output.1) } ?? "not given"
    }
}
