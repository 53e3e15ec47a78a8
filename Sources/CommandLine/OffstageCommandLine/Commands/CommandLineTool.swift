import CGLib
import Foundation
import Offstage
import OffstageRequests
import OffstageService

/// `offstage COMMAND …`: finds the command, runs it, and turns an error into a message and an exit code.
@MainActor
enum CommandLineTool {
    nonisolated static let version = offstageVersion
    static let date = offstageDate

    static let summary = "Renders HTML, images, PDF pages, sounds and ink to cached pictures, off screen."
    static let commands: [any Command.Type] = [
        RenderCommand.self, PipeCommand.self, ServeCommand.self, WorkCommand.self, BrowseCommand.self,
        SheetCommand.self,
        InfoCommand.self, ConvertCommand.self, CacheCommand.self, ExplainCommand.self, SharedCommand.self,
        DoctorCommand.self,
    ]

    static func run(_ arguments: [String]) -> ExitCode {
        do {
            return try dispatch(arguments)
        } catch let error as UsageError {
            Console.error("\(error)", as: .error)
            return .wrongUse
        } catch let error as EngineUnavailable {
            Console.error("\(error)", as: .error)
            return .machineLacks
        } catch {
            Console.error("\(error)", as: .error)
            return .someFailed
        }
    }

    private static func dispatch(_ arguments: [String]) throws -> ExitCode {
        guard let name = arguments.first else { throw UsageError("no command given; see `offstage --help`") }
        if let command = command(of: arguments) { return try command.start(arguments.dropFirst(command.words.count)) }
        switch name {
        case "--help": try Console.print(help: HelpText.program)
        case "-h": try Console.print(help: HelpText.brief)
        case "help": try Console.print(help: help(on: Array(arguments.dropFirst())))
        case "--version", "-V": try Console.print("offstage \(version)")
        case "--print-man": try Console.print(ManualPage.text)
        case "--print-completion": try Console.print(completion(arguments.dropFirst().first))
        case "--print-schema": try Console.print(schema(arguments.dropFirst().first))
        default: throw UnknownCommand.error(arguments)
        }
        return .success
    }

    /// Words that are not commands.
    static let ownWords = [
        "help", "--help", "--version", "--print-man", "--print-completion", "--print-schema",
    ]

    static let shells = ["bash", "zsh", "fish"]
    static let schemas = ["manifest", "request", "command", "result", "annotations"]

    /// Look for `cache explain` before `cache`.
    private static func command(of words: [String]) -> (any Command.Type)? {
        commands.reversed().first { words.starts(with: $0.words) }
    }

    private static func help(on words: [String]) throws(UsageError) -> String {
        if words.isEmpty { return HelpText.program }
        // `offstage help pdf` means the command that most people use.
        let isTopic = HelpText.source(words[0]) != nil || words[0].hasPrefix("-")
        guard let command = command(of: words) ?? (isTopic ? RenderCommand.self : nil) else {
            throw UnknownCommand.error(words)
        }
        let rest =
            command.words == Array(words.prefix(command.words.count))
            ? words.dropFirst(command.words.count) : words[...]
        guard let word = rest.first else { return HelpText.of(command) }
        return try HelpText.of(command, topic: word)
    }

    private static func completion(_ shell: String?) throws(UsageError) -> String {
        switch shell {
        case "bash": return BashCompletion.text
        case "zsh": return ZshCompletion.text
        case "fish": return FishCompletion.text
        default: throw UsageError("--print-completion takes \(shells.formatted("or"))")
        }
    }

    private static func schema(_ name: String?) throws(UsageError) -> String {
        switch name {
        case "manifest": return ManifestSchema.text
        case "request": return RequestSchema.text
        case "command": return CommandSchema.text
        case "result": return ResultSchema.text
        case "annotations": return AnnotationSchema.text
        default:
            throw Suggestion.error(
                "--print-schema takes \(schemas.formatted("or"))", for: name ?? "", among: schemas,
                otherwise: "name one of them")
        }
    }
}

/// One command of the program.
@MainActor
protocol Command {
    /// The word or words on the command line.
    static var name: String { get }
    /// A description in one line.
    static var summary: String { get }
    static var options: OptionTable { get }

    init(_ options: ParsedOptions) throws

    /// False for an option that applies only on the command line, never in the user's settings.
    static func takesSetting(_ name: String) -> Bool

    /// - Throws: `UsageError`, `EngineUnavailable`, or the error that made the whole run fail.
    func run() throws -> ExitCode
}

extension Command {
    static var words: [String] { name.split(separator: " ").map(String.init) }

    static func takesSetting(_ name: String) -> Bool { true }

    static func start(_ arguments: ArraySlice<String>) throws -> ExitCode {
        // Windows and GLib's messages show this name.
        g_set_prgname("offstage \(name)")
        switch try options.parse(Array(arguments), command: name) {
        case .run(let parsed):
            let options = try UserSettings.read().add(to: parsed, Self.options, command: name, takes: takesSetting)
            do { return try Self(options).run() } catch let error as UsageError {
                throw UserSettings.attributed(error, to: options)
            }
        case .help(let isBrief):
            try Console.print(help: isBrief ? HelpText.brief(of: self) : HelpText.of(self))
            return .success
        case .version:
            try Console.print("offstage \(CommandLineTool.version)")
            return .success
        }
    }
}
