import CWebKitGTK
import Foundation
import Offstage
import OffstageRequests
import OffstageService

/// `offstage COMMAND …`: finds the command, runs it, and turns what it throws into a message and an exit code.
@MainActor
enum CommandLineTool {
    nonisolated static let version = offstageVersion
    /// The version's, for the man page.
    static let date = "2026-11-21"

    static let summary = "Draws HTML snippets into images, off screen."
    static let commands: [any Command.Type] = [
        RenderCommand.self, PipeCommand.self, ServeCommand.self, BrowseCommand.self, SheetCommand.self,
        CacheCommand.self, ExplainCommand.self, DoctorCommand.self,
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
        guard let name = arguments.first else {
            throw UsageError("say what to do; `offstage --help` tells what there is")
        }
        // `cache explain` before `cache`.
        for command in commands.reversed() where arguments.starts(with: command.words) {
            return try command.start(arguments.dropFirst(command.words.count))
        }
        switch name {
        case "--help", "-h", "help": try Console.print(help)
        case "--version": try Console.print("offstage \(version)")
        case "--print-man": try Console.print(ManualPage.text)
        case "--print-completion": try Console.print(completion(arguments.dropFirst().first))
        case "--print-schema": try Console.print(schema(arguments.dropFirst().first))
        default: throw UsageError("there is no command '\(name)'; `offstage --help` tells what there is")
        }
        return .success
    }

    private static func completion(_ shell: String?) throws(UsageError) -> String {
        switch shell {
        case "bash": return BashCompletion.text
        case "zsh": return ZshCompletion.text
        default: throw UsageError("--print-completion is there for bash and zsh; name one of them")
        }
    }

    private static func schema(_ name: String?) throws(UsageError) -> String {
        switch name {
        case "manifest": return ManifestSchema.text
        case "request": return RequestSchema.text
        case "command": return CommandSchema.text
        case "result": return ResultSchema.text
        default:
            throw UsageError("--print-schema is there for manifest, request, command and result; name one of them")
        }
    }

    private static var help: String {
        """
        Usage:
          offstage COMMAND …

        \(summary)

        Commands:
        \(commands.map { "  \($0.name.padding(toLength: 15, withPad: " ", startingAt: 0))\($0.summary)" }
            .joined(separator: "\n"))

        `offstage COMMAND --help` tells a command's options, `offstage --version` the version.
        `offstage --print-man` prints the man page, `offstage --print-completion bash|zsh` a shell's completion.
        `offstage --print-schema manifest` prints the JSON Schema of a manifest's row; there are also request,
        command and result, of `offstage pipe`.

        Exit codes:
        \(ExitCode.allCases.map { "  \($0.rawValue)  \($0.meaning)" }.joined(separator: "\n"))
        """
    }
}

/// One command of the program.
@MainActor
protocol Command {
    /// The word on the command line, or the words.
    static var name: String { get }
    /// What it does, in a line.
    static var summary: String { get }
    static var options: OptionTable { get }

    init(_ options: ParsedOptions) throws

    /// - Throws: `UsageError`, `EngineUnavailable`, or what made the whole run fail.
    func run() throws -> ExitCode
}

extension Command {
    static var words: [String] { name.split(separator: " ").map(String.init) }

    static func start(_ arguments: ArraySlice<String>) throws -> ExitCode {
        switch try options.parse(Array(arguments), command: name) {
        case .run(let parsed): return try Self(parsed).run()
        case .version:
            try Console.print("offstage \(CommandLineTool.version)")
            return .success
        }
    }
}
