import Foundation
import OffstageRequests
import OffstageService

/// The source and options of a picture, stored beside it as `PictureInfo.extra`. They are enough to determine later
/// whether it would be drawn again.
///
/// Every run writes them for each picture, including cached ones, so the JSON is written by hand, for speed.
struct Origin: Decodable {
    /// The input's identifier, as in `--json`.
    var identifier: String
    /// The absolute path of the HTML file; nil for standard input, a row or a template.
    var file: String?
    /// The command line's options, with absolute paths.
    var options: [String: [String]]
    /// These options, overridden by the row's own; nil if it has none.
    var drawn: [String: [String]]?

    /// True if the document came from standard input.
    var isStandardInput: Bool { file == nil && options["manifest"] == nil && options["data"] == nil }

    /// The options that determine the sources and the drawing.
    private static let noted =
        RowSettings.table
        + ["fonts", "manifest", "template", "data", "output"].map { .init($0, value: "FILE", help: "") }

    /// Encodes the options, which many pictures share.
    ///
    /// - Parameters:
    ///   - options: the effective options.
    ///   - commandLine: the options without a row's; nil if they are the same.
    static func note(_ options: ParsedOptions, commandLine: ParsedOptions? = nil) -> String {
        let drawn = json(options)
        guard let commandLine, case let common = json(commandLine), common != drawn else {
            return "\"options\":\(drawn)}"
        }
        return "\"options\":\(common),\"drawn\":\(drawn)}"
    }

    /// The complete origin of a job.
    static func text(of job: Job) -> String {
        let file = job.input.sourceFile.map { field("file", absolutePath($0)) + "," } ?? ""
        return "{\(field("identifier", job.input.identifier)),\(file)\(job.settings.note)"
    }

    init?(_ text: String?) {
        guard let text, let origin = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else { return nil }
        self = origin
    }

    /// A key and its value as they are written in the text, for searching.
    static func field(_ key: String, _ value: String) -> String { "\"\(key)\":\(quoted(value))" }

    private static func json(_ options: ParsedOptions) -> String {
        let values = noted.compactMap { option -> String? in
            guard options.has(option.name) else { return nil }
            let texts = options.strings(option.name).map {
                quoted(option.kind.paths(among: [$0]).isEmpty ? $0 : named($0))
            }
            return "\"\(option.name)\":[\(texts.joined(separator: ","))]"
        }
        return "{\(values.joined(separator: ","))}"
    }

    /// An absolute path; other words are unchanged.
    private static func named(_ path: String) -> String {
        path == "-" || path == RowTemplate.presentationName ? path : absolutePath(path)
    }

    private static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        if isPlain { return "\"\(text)\"" }
        return "\""
            + text.unicodeScalars.map { scalar in
                switch scalar {
                case "\"", "\\": "\\\(scalar)"
                case _ where scalar.value < 0x20: String(format: "\\u%04x", scalar.value)
                default: String(scalar)
                }
            }.joined() + "\""
    }
}
