import Foundation
import OffstageRequests
import OffstageService

/// What a picture was made from, kept beside it as `PictureInfo.extra`: enough to ask later whether it would be drawn again.
///
/// It is written for every picture of a run, kept ones too, and so by hand.
struct Origin: Decodable {
    /// The input's, as `--json` tells it.
    var identifier: String
    /// The HTML file, absolute; nil for a document of standard input, a row or a template.
    var file: String?
    /// The command line's options, paths absolute.
    var options: [String: [String]]
    /// These with the row's own on top; nil where it has none.
    var drawn: [String: [String]]?

    /// Whether it was a document on standard input.
    var isStandardInput: Bool { file == nil && options["manifest"] == nil && options["data"] == nil }

    /// Options that decide what is drawn, and what from.
    private static let noted =
        RowSettings.table
        + ["fonts", "manifest", "template", "data", "output"].map { .init($0, value: "FILE", help: "") }

    /// The part that many pictures share.
    ///
    /// - Parameters:
    ///   - options: those that hold.
    ///   - commandLine: those without a row's; nil where they are the same.
    static func note(_ options: ParsedOptions, commandLine: ParsedOptions? = nil) -> String {
        let drawn = json(options)
        guard let commandLine, case let common = json(commandLine), common != drawn else {
            return "\"options\":\(drawn)}"
        }
        return "\"options\":\(common),\"drawn\":\(drawn)}"
    }

    /// A job's origin, whole.
    static func text(of job: Job) -> String {
        let file = job.input.sourceFile.map { field("file", absolutePath($0)) + "," } ?? ""
        return "{\(field("identifier", job.input.identifier)),\(file)\(job.settings.note)"
    }

    init?(_ text: String?) {
        guard let text, let origin = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else { return nil }
        self = origin
    }

    /// A key and its value as they stand in the text, to be looked for.
    static func field(_ key: String, _ value: String) -> String { "\"\(key)\":\(quoted(value))" }

    private static func json(_ options: ParsedOptions) -> String {
        let values = noted.compactMap { option -> String? in
            guard options.has(option.name) else { return nil }
            let texts = options.strings(option.name).map { quoted(option.kind.isPath ? named($0) : $0) }
            return "\"\(option.name)\":[\(texts.joined(separator: ","))]"
        }
        return "{\(values.joined(separator: ","))}"
    }

    /// A path, or a word in its place.
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
