import OffstageRequests

/// The zsh completion, generated from the tables of `--help`. It is installed as `_offstage` in a folder of `fpath`.
@MainActor
enum ZshCompletion {
    static var text: String {
        """
        #compdef offstage
        # zsh completion for offstage; made by `offstage --print-completion zsh`
        if (( CURRENT == 2 )); then
            local -a commands=(
        \(CommandLineTool.commands.filter { $0.words.count == 1 }.map { "        " + quoted("\($0.name):\($0.summary)") }.joined(separator: "\n"))
            )
            _describe command commands
            compadd -- \(CommandLineTool.ownWords.joined(separator: " "))
            return
        fi
        case "${(j: :)words[2,CURRENT-1]}" in
        \(CompletionWords.following.map(following).joined(separator: "\n"))
        esac
        case "$words[2] $words[3] " in
        \(CommandLineTool.commands.reversed().map(branch).joined(separator: "\n"))
        esac
        """
    }

    private static func following(_ words: [String], _ next: [String]) -> String {
        "    '\(words.joined(separator: " "))') compadd -- \(next.joined(separator: " ")); return ;;"
    }

    private static func branch(_ command: any Command.Type) -> String {
        var specs = command.options.all.map(spec)
        let operands = Completion(command.options.operands)
        if operands.next.isEmpty {
            if operands.files || operands.folders { specs.append(quoted("*:operand:" + answer(operands))) }
        } else {
            specs.append(quoted("1:operand:" + answer(operands)))
            if operands.next.values.contains(where: \.folders) { specs.append(quoted("2:folder:_files -/")) }
        }
        return """
            '\(command.name) '*)
                shift \(command.words.count) words
                (( CURRENT -= \(command.words.count) ))
                _arguments -S \\
                    \(specs.joined(separator: " \\\n        "))
                ;;
            """
    }

    /// One option in the syntax of `_arguments`: `'(-o --output)'{-o,--output=}'[help]:FILE:_files'`.
    private static func spec(_ option: OptionTable.Option) -> String {
        let help = option.help.replacing("[", with: "\\[").replacing("]", with: "\\]")
        let equals = option.value == nil ? "" : "="
        let value = option.value.map { ":\($0.replacing(":", with: "\\:")):" + answer(Completion($0)) } ?? ""
        let star = option.isRepeatable ? "*" : ""
        guard let letter = option.letter else { return quoted("\(star)--\(option.name)\(equals)[\(help)]\(value)") }
        let both = "{-\(letter),--\(option.name)\(equals)}"
        return quoted("(-\(letter) --\(option.name))") + both + quoted("[\(help)]\(value)")
    }

    private static func answer(_ completion: Completion) -> String {
        if completion.files { return "_files" }
        if completion.folders { return "_files -/" }
        return completion.words.isEmpty ? " " : "(\(completion.words.joined(separator: " ")))"
    }

    private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
}
