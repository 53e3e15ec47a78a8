import Foundation
import Offstage
import OffstageGLib
import OffstageHTML
import OffstageRequests
import OffstageService

/// `offstage info`: prints facts about documents, and draws nothing.
struct InfoCommand: Command {
    static let name = "info"
    static let summary = "Print the kind, size, pages or length of files"

    static let options = OptionTable(
        operands: "FILE|FOLDER…",
        summary: """
            Prints the pages, sizes and outline of PDF documents and whether they are encrypted, and the kind,
            size, frames and colour profile of images, the length, rate, channels, loudness, true peak and tracks of
            sounds, and the pages and strokes of ink. It renders nothing. The exit code is 1 if a file cannot be read,
            or if --find finds nothing in any of the files.
            """,
        examples: [
            .init("One JSON line for each document", "offstage info scores --json"),
            .init("The pages that mention a word", "offstage info papers --find entropy"),
        ],
        options: [
            .init("json", help: "Print one JSON line per document on standard output"),
            .init("annotations", help: "List the annotations of PDF documents, with their identifiers"),
            SoundInspector.option, PageInspector.option,
        ]
            + (SourceRegistry.options + EngineOptions.table + SourceRegistry.limits).filter { own.contains($0.name) })

    private static let own = [
        "password-file", "sandbox", "no-sandbox", EngineOptions.freshWorkers, "max-input-bytes", "max-image-pixels",
        "max-seconds", "max-points", "track",
        "max-memory",
        "max-cpu",
    ]

    private let parsed: ParsedOptions
    private let inputs: [Input]
    private let searches: Bool

    init(_ options: ParsedOptions) throws {
        parsed = options
        try OptionUse(options).check()
        _ = try SoundInspector.target(options)
        searches = try PageInspector.query(options) != nil
        if options.operands.isEmpty { throw UsageError("info takes files or folders; name some") }
        if options.operands.contains("-") {
            throw UsageError("info does not read standard input; name files or folders")
        }
        let all = try InputList.expand(options.operands)
        let names = Set(options.operands)
        // In a folder, only the documents that can be described.
        inputs = all.filter { $0.source.describe != nil || names.contains($0.name) }
    }

    func run() throws -> ExitCode {
        defer { ChildProcesses.endAll() }
        return try MainLoop.run {
            var (code, found) = (ExitCode.success, 0)
            for input in inputs {
                do {
                    let info = try await describe(input)
                    found += info.found
                    // With many documents, print only those that contain the text.
                    if !searches || info.found > 0 || inputs.count == 1 || parsed.has("json") {
                        try print(info, of: input)
                    }
                } catch let error as FileError {
                    throw error
                } catch {
                    code = .someFailed
                    try printFailure("\(error)", of: input)
                }
            }
            return searches && found == 0 ? .someFailed : code
        }
    }

    private func describe(_ input: Input) async throws -> SourceInfo {
        switch input {
        case .unusable(_, _, let error): throw InfoFailure(description: "\(error)")
        case .file(let path, _):
            guard let describe = input.source.describe else {
                throw InfoFailure(description: "\(path): info does not support documents of this kind")
            }
            do { return try await describe(SourceDocument(file: path), parsed) } catch let error as DrawingError {
                throw InfoFailure(description: "\(path): \(error)")
            }
        case .row, .standardInput: throw InfoFailure(description: "\(input.name): name a file")
        }
    }

    private func print(_ info: SourceInfo, of input: Input) throws {
        if parsed.has("json") {
            let values = info.values.merging(["source": .text(input.name)]) { own, _ in own }
            return try Console.print(values.jsonLine + Data("\n".utf8))
        }
        for (index, line) in info.lines.enumerated() {
            try Console.print((index == 0 ? "\(input.name): \(line)" : "  \(line)").printable)
        }
    }

    private func printFailure(_ message: String, of input: Input) throws {
        Console.error(message)
        guard parsed.has("json") else { return }
        let values: [String: JSONValue] = ["source": .text(input.name), "error": .text(message)]
        try Console.print(values.jsonLine + Data("\n".utf8))
    }
}

/// A document that cannot be described.
private struct InfoFailure: Error, CustomStringConvertible { var description: String }
