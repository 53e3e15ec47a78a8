/// The bash completion, generated from the tables of `--help`. It needs only bash, not the bash-completion package.
@MainActor
enum BashCompletion {
    static var text: String {
        """
        # bash completion for offstage; made by `offstage --print-completion bash`
        _offstage() {
            local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options
            COMPREPLY=()
            if [ "$COMP_CWORD" -eq 1 ]; then
                mapfile -t COMPREPLY < <(compgen -W '\(CompletionWords.first.joined(separator: " "))' -- "$word")
                return
            fi
            # bash treats the = of --out=FOLDER as a separate word.
            if [ "$word" = = ]; then
                word=
            elif [ "$before" = = ]; then
                before=${COMP_WORDS[COMP_CWORD-2]}
            fi
            case "${COMP_WORDS[*]:1:COMP_CWORD-1}" in
        \(CompletionWords.following.map(following).joined(separator: "\n"))
            esac
            case "${COMP_WORDS[1]} ${COMP_WORDS[2]} " in
        \(CommandLineTool.commands.reversed().map(branch).joined(separator: "\n"))
            esac
            if [[ $word == -* ]]; then
                mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
            fi
        }
        complete -F _offstage offstage
        """
    }

    private static func following(_ words: [String], _ next: [String]) -> String {
        """
                '\(words.joined(separator: " "))')
                    mapfile -t COMPREPLY < <(compgen -W '\(next.joined(separator: " "))' -- "$word")
                    return ;;
        """
    }

    private static func branch(_ command: any Command.Type) -> String {
        let options = command.options.all
        var cases = options.filter { $0.value != nil }.map { option in
            "            \(option.spellings.joined(separator: "|"))) \(answer(Completion(option.value!)))return ;;"
        }
        if !cases.isEmpty { cases = ["        case $before in"] + cases + ["        esac"] }
        let operands = Completion(command.options.operands)
        let nested = operands.next.sorted { $0.key < $1.key }.map { word, next in
            "            if [ \"$before\" = \(word) ]; then \(answer(next))return; fi"
        }
        let first = operands.next.isEmpty ? "" : "[ \"$COMP_CWORD\" -gt \(command.words.count + 1) ] || { "
        let own = "\(first)\(answer(operands))\(operands.next.isEmpty ? "" : "}; ")return"
        let last = "        if [[ $word != -* ]]; then \(own); fi ;;"
        return """
                '\(command.name) '*)
                    options='\(options.map { "--\($0.name)" }.joined(separator: " "))'
            \((cases + nested + [last]).joined(separator: "\n"))
            """
    }

    /// Ends with a semicolon; empty if there is nothing to offer.
    private static func answer(_ completion: Completion) -> String {
        var flags: [String] = []
        if completion.files { flags.append("-f") } else if completion.folders { flags.append("-d") }
        // Makes bash quote spaces in names and add a slash to a folder. This would be wrong for words that are also
        // names of files.
        let mode = flags.isEmpty ? "" : "compopt -o filenames; "
        if !completion.words.isEmpty { flags.append("-W '\(completion.words.joined(separator: " "))'") }
        if flags.isEmpty { return "" }
        return mode + "mapfile -t COMPREPLY < <(compgen \(flags.joined(separator: " ")) -- \"$word\"); "
    }
}
