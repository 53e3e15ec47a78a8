import OffstageRequests

/// The fish completion, generated from the tables of `--help`. It is installed as `offstage.fish` in a folder of
/// `fish_complete_path`.
@MainActor
enum FishCompletion {
    static var text: String {
        """
        # fish completion for offstage; made by `offstage --print-completion fish`
        # True if the words before the cursor are the arguments.
        function __offstage_after
            set -l words (commandline -opc)
            test "$words[2..-1]" = "$argv"
        end
        # True if the words before the cursor begin with the command in the arguments, and with no longer command.
        function __offstage_in
            set -l words (commandline -opc) ''
            set -l name $words[2]
            contains -- "$words[2] $words[3]" \(longer); and set name "$words[2] $words[3]"
            test "$name" = "$argv"
        end
        complete -c offstage -f
        \((first + following + CommandLineTool.commands.flatMap(command)).joined(separator: "\n"))
        """
    }

    /// The commands of two words, quoted.
    private static var longer: String {
        CommandLineTool.commands.filter { $0.words.count > 1 }.map { quoted($0.name) }.joined(separator: " ")
    }

    private static var first: [String] {
        let commands = CommandLineTool.commands.filter { $0.words.count == 1 }.map {
            line(after: [], "-a \($0.name) -d \(quoted($0.summary))")
        }
        return commands + [line(after: [], "-a \(quoted(CommandLineTool.ownWords.joined(separator: " ")))")]
    }

    private static var following: [String] {
        CompletionWords.following.map { line(after: $0.words, "-a \(quoted($0.next.joined(separator: " ")))") }
    }

    private static func line(after words: [String], _ rest: String) -> String {
        "complete -c offstage -n \(quoted((["__offstage_after"] + words).joined(separator: " "))) " + rest
    }

    private static func command(_ command: any Command.Type) -> [String] {
        let place = "complete -c offstage -n \(quoted("__offstage_in " + command.name)) "
        let options = command.options.all.map { option in
            let letter = option.letter.map { " -s \($0)" } ?? ""
            let value =
                option.value.map { " " + answer(Completion($0), isOptional: !option.valueEndings.isEmpty) } ?? ""
            return place + "-l \(option.name)\(letter)\(value) -d \(quoted(option.brief(in: 60)))"
        }
        let operands = Completion(command.options.operands)
        if operands.next.isEmpty {
            let answer = arguments(operands)
            return options + (answer.isEmpty ? [] : [place + answer])
        }
        return options + [line(after: command.words, arguments(operands))]
            + operands.next.sorted { $0.key < $1.key }.filter { !arguments($0.value).isEmpty }.map {
                line(after: command.words + [$0.key], arguments($0.value))
            }
    }

    /// The value of an option.
    private static func answer(_ completion: Completion, isOptional: Bool) -> String {
        (isOptional ? [] : ["-r"] + (completion.files ? [] : ["-f"]) + [arguments(completion)])
            .filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// Empty if there is nothing to offer.
    private static func arguments(_ completion: Completion) -> String {
        var words = completion.words
        if completion.folders, !completion.files { words.append("(__fish_complete_directories (commandline -ct))") }
        return
            ((completion.files ? ["-F"] : []) + (words.isEmpty ? [] : ["-a \(quoted(words.joined(separator: " ")))"]))
            .joined(separator: " ")
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}
