import CWebKitGTK
import Foundation
import Offstage
import OffstageRequests
import OffstageService

/// `offstage COMMAND …`: finds the command, runs it, and turns an error into a message and an exit code.
@MainActor
enum CommandLineTool {
    nonisolated static let version = offstageVersion
    /// The date of the version, for the man page.
    static let date = "2026-11-21"

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
            Console.error("\(error)")
            return .wrongUse
        } catch let error as EngineUnavailable {
            Console.error("\(error)")
            return .machineLacks
        } catch {
            Console.error("\(error)")
            return .someFailed
        }
    }

    private static func dispatch(_ arguments: [String]) throws -> ExitCode {
        guard let name = arguments.first else { throw UsageError("no command given; see `offstage --help`") }
        if let command = command(of: arguments) { return try command.start(arguments.dropFirst(command.words.count)) }
        switch name {
        case "--help", "-h": try Console.print(HelpText.program)
        case "help": try Console.print(help(on: Array(arguments.dropFirst())))
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

    /// `cache explain` has to be found before `cache`.
    private static func command(of words: [String]) -> (any Command.Type)? {
        commands.reversed().first { words.starts(with: $0.words) }
    }

    private static func help(on words: [String]) throws(UsageError) -> String {
        if words.isEmpty { return HelpText.program }
        guard let command = command(of: words) else { throw UnknownCommand.error(words) }
        let rest = words.dropFirst(command.words.count)
        guard let word = rest.first else { return HelpText.of(command) }
        return try HelpText.of(command, option: word)
    }

    private static func completion(_ shell: String?) throws(UsageError) -> String {
        switch shell {
        case "bash": return BashCompletion.text
        case "zsh": return ZshCompletion.text
        default: throw UsageError("--print-completion takes bash or zsh")
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
                "--print-schema takes manifest, request, command, result or annotations", for: name ?? "",
                among: ["manifest", "request", "command", "result", "annotations"], otherwise: "name one of them")
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

    /// - Throws: `UsageError`, `EngineUnavailable`, or the error that made the whole run fail.
    func run() throws -> ExitCode
}

extension Command {
    static var words: [String] { name.split(separator: " ").map(String.init) }

    static func start(_ arguments: ArraySlice<String>) throws -> ExitCode {
        // Windows and GLib's messages show this name.
        g_set_prgname("offstage \(name)")
        switch try options.parse(Array(arguments), command: name) {
        case .run(let parsed): return try Self(parsed).run()
        case .help:
            try Console.print(HelpText.of(self))
            return .success
        case .version:
            try Console.print("offstage \(CommandLineTool.version)")
            return .success
        }
    }
}
