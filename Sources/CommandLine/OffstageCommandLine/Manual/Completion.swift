import OffstageRequests

/// The completions for a position on the command line, derived from the names of values in `--help`.
struct Completion {
    var files = false
    var folders = false
    /// Literal words: `fit` of `PX|fit`, the formats of `SPEC`.
    var words: [String] = []
    /// The completions after a literal word, such as a folder after `export` in `stats|export FOLDER`.
    var next: [String: Completion] = [:]

    init(_ value: String) {
        for part in value.split(separator: "|") {
            let tokens = part.split { "[]… ".contains($0) }
            guard let first = tokens.first else { continue }
            switch first {
            case "FILE": files = true
            case "FOLDER": folders = true
            case "SPEC": words += RegisteredFormat.all.map(\.format.name)
            case _ where first.hasPrefix("SOURCE"): words += SourceRegistry.all.map(\.name)
            case _ where first.first!.isLowercase:
                words.append(String(first))
                if tokens.count > 1 { next[String(first)] = Completion(tokens[1...].joined(separator: "|")) }
            default: break
            }
        }
    }
}

/// Words that follow other words, apart from the options and operands of commands.
@MainActor
enum CompletionWords {
    /// The words after `offstage`.
    static var first: [String] {
        CommandLineTool.commands.filter { $0.words.count == 1 }.map { $0.name } + CommandLineTool.ownWords
    }

    /// The words after particular words: commands, sources and options after `help`; shells; schemas.
    static var following: [(words: [String], next: [String])] {
        let commands = CommandLineTool.commands
        var all = [(["help"], commands.filter { $0.words.count == 1 }.map { $0.name })]
        for command in commands {
            let longer = commands.filter { $0.words.count > 1 && $0.words[0] == command.name }.map { $0.words[1] }
            let hasSources = HelpText.hasSources(command)
            all.append(
                (
                    ["help"] + command.words,
                    longer + (hasSources ? SourceRegistry.all.map(\.name) : [])
                        + command.options.all.map { "--\($0.name)" }
                ))
        }
        return all + [(["--print-completion"], CommandLineTool.shells), (["--print-schema"], CommandLineTool.schemas)]
    }
}

extension OptionTable.Option {
    /// The forms on the command line: `--output`, `-o`.
    var spellings: [String] { ["--\(name)"] + (letter.map { ["-\($0)"] } ?? []) }
}
