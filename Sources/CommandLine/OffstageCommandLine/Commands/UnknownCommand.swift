import Foundation
import OffstageRequests
import OffstageService

/// The error for a command line that does not begin with a command. Most such lines name files to render.
@MainActor
enum UnknownCommand {
    static func error(_ arguments: [String]) -> UsageError {
        let name = arguments[0]
        if InputList.isURL(name) { return InputList.urlError }
        if let line = rendering(arguments) { return UsageError("no command given; to render, type: \(line)") }
        let isOption = name.hasPrefix("-")
        let known = CommandLineTool.ownWords + (isOption ? [] : CommandLineTool.commands.map { $0.name })
        return Suggestion.error(
            isOption ? "unknown option \(name)" : "there is no command '\(name)'", for: name,
            among: known.filter { $0.hasPrefix("-") == isOption }, otherwise: "see `offstage --help`")
    }

    /// The command line to suggest if the first word is an input or an option of `render`; nil otherwise.
    private static func rendering(_ arguments: [String]) -> String? {
        let name = arguments[0]
        let isFolder = OutputFolder.kind(of: name) == S_IFDIR
        let isInput = name == "-" || OutputFolder.kind(of: name) != nil || SourceRegistry.source(ofFile: name) != nil
        let table = RenderCommand.options
        let isOption = table.options.contains {
            "--\($0.name)" == name.prefix { $0 != "=" } || $0.letter.map { name.hasPrefix("-\($0)") } ?? false
        }
        guard isInput || isOption && !name.isEmpty else { return nil }
        var words = ["offstage", "render"] + arguments
        let hasPlace = arguments.contains { $0.hasPrefix("-o") || $0.hasPrefix("--out") }
        if !hasPlace, isFolder { words += ["--out", "out"] }
        if !hasPlace, name == "-" { words += ["-o", "picture.png"] }
        return words.map(\.shellWord).joined(separator: " ")
    }
}

extension String {
    /// The word, quoted for a shell.
    fileprivate var shellWord: String {
        let marks = "0123456789-_./,:=+@%".unicodeScalars
        let isPlain = !isEmpty && unicodeScalars.allSatisfy { $0.properties.isAlphabetic || marks.contains($0) }
        return isPlain ? self : "'" + replacing("'", with: "'\\''") + "'"
    }
}
