import Offstage
import OffstageRequests

/// The JSON Schema of a result, for a request, a command, or an invalid line.
package enum ResultSchema {
    package static var text: String {
        SchemaText.document(
            title: "A result of offstage pipe",
            description: "One JSON object on its own line, for each line that was not empty.",
            """
              "type": "object",
              "properties": {
            \((keys + details).joined(separator: ",\n"))
              },
              "required": ["line", "status"],
              "oneOf": [
                {
                  "properties": { "status": { "enum": ["drawn", "incomplete"] } },
                  "required": ["milliseconds", "warnings"],
                  "oneOf": [{ "required": \(picture) }, { "required": ["parts"] }]
                },
                {
                  "properties": { "status": { "const": "failed" } },
                  "required": ["code", "error", "warnings"]
                },
                { "properties": { "status": { "const": "done" } }, "required": ["command"] }
              ],
              "additionalProperties": false,
              "$defs": {
                "file": {
                  "properties": {
            \(ofFile.compactMap(property).map { "        " + $0 }.joined(separator: ",\n"))
                  },
                  "required": ["width", "height", "scale", "bytes"]
                },
                "part": {
                  "type": "object",
                  "properties": {
            \((ofFile + [.identifier, .part, .also, .areas, .text, .facts]).compactMap(property)
                .map { "        " + $0 }.joined(separator: ",\n"))
                  },
                  "required": ["part", "width", "height", "scale", "bytes"],
                  "additionalProperties": false
                }
              }
            """)
    }

    private static let picture = "[\"width\", \"height\", \"scale\", \"bytes\"]"
    private static let ofFile: [ResultKey] = [.path, .width, .height, .scale, .bytes, .pages, .format, .data]
    private static var keys: [String] { ResultKey.allCases.filter { $0 != .part }.compactMap(property) }

    /// Nil for a key that only the command line uses.
    private static func property(_ key: ResultKey) -> String? {
        let text = "\"type\": \"string\""
        func list(_ items: String) -> String { "\"type\": \"array\", \"items\": \(items)" }
        func reference(_ name: String) -> String { list("{ \"$ref\": \"#/$defs/\(name)\" }") }
        let (schema, help): (String, String)
        switch key {
        case .source, .html: return nil
        case .id: (schema, help) = ("\"anyOf\": [\(RequestSchema.idKinds)]", "The id of the request or command")
        case .line: (schema, help) = (count(1), "The number of the answered line")
        case .command:
            (schema, help) = (words(LineCommand.self), "The command that was executed or failed")
        case .identifier: (schema, help) = (text, "The request's identifier; for a part, followed by the part's number")
        case .status:
            schema = SchemaText.words(["drawn", "incomplete", "failed", "done"])
            help = "incomplete: drawn, but the picture lacks something (see warnings). done: a command succeeded"
        case .code:
            (schema, help) = (words(ServiceResult.Code.self), "A machine-readable reason why no picture was made")
        case .error: (schema, help) = (text, "The problem and the remedy")
        case .kept: (schema, help) = ("\"type\": \"boolean\"", "True if the picture is from the cache")
        case .path: (schema, help) = (text, "The file's path")
        case .width, .height: (schema, help) = (count(1), "Device px")
        case .scale: (schema, help) = ("\"type\": \"number\", \"exclusiveMinimum\": 0", "Device px per CSS px")
        case .bytes: (schema, help) = (count(1), "The size of the file")
        case .pages: (schema, help) = (count(1), "The number of pages, for a PDF file")
        case .format: (schema, help) = (SchemaText.words(FileFormat.all.map(\.name)), "The format, if no path shows it")
        case .data:
            (schema, help) = (text + ", \"contentEncoding\": \"base64\"", "The file's bytes, for an inline request")
        case .part: (schema, help) = (count(1), "The part's number, from 1, in the document's order")
        case .parts: (schema, help) = (reference("part"), "The pictures of a request with \"each\"")
        case .also: (schema, help) = (reference("file"), "The other files")
        case .areas:
            (schema, help) = (
                list("{ \"type\": \"object\" }"), "Links and named elements, for a request with \"areas\""
            )
        case .text: (schema, help) = (text, "The text for screen readers, for a request with \"areas\"")
        case .facts:
            (schema, help) = ("\"type\": \"object\"", "Facts about the source, such as the frames of an image file")
        case .milliseconds:
            (schema, help) = ("\"type\": \"number\"", "Time from the start of the drawing until the file is written")
        case .warnings: (schema, help) = (list(warning), "Things that the picture lacks, and messages of scripts")
        }
        return SchemaText.property(key.rawValue, schema, help)
    }

    private static func words<Key: CaseIterable & RawRepresentable<String>>(_ keys: Key.Type) -> String {
        SchemaText.words(keys.allCases.map(\.rawValue))
    }

    private static var warning: String {
        let codes = SchemaText.words(SourceRegistry.warnings.map(\.name))
        return """
            { "type": "object", "properties": { "code": { \(codes) }, "subject": { "type": "string" }, \
            "reason": { "type": "string" }, "message": { "type": "string" } }, \
            "required": ["code", "subject", "message"], "additionalProperties": false }
            """
    }

    /// The keys of commands' results.
    private static let details = [
        SchemaText.property(
            "suspended", "\"type\": \"boolean\"", "suspend, resume, stats: true while the queue is suspended"),
        SchemaText.property("seconds", "\"type\": \"number\"", "suspend: the maximum duration"),
        SchemaText.property("expired", "\"type\": \"boolean\"", "resume: true if the suspension had already ended"),
        SchemaText.property("requests", count(0), "reprioritise, cancel: the number of matching requests"),
        SchemaText.property("pictures", count(1), "prefetch: the number of pictures"),
        SchemaText.property(
            "leftOut", "\"type\": \"array\", \"items\": { \"type\": \"string\" }",
            "annotate: annotations that were not read or not written"),
        SchemaText.property("lines", count(0), "finish: the number of answered lines"),
        SchemaText.property("failed", count(0), "finish: the number of failed lines, not counting cancelled ones"),
        SchemaText.property("underWay", count(0), "stats: the number of this program's unanswered requests"),
        SchemaText.property("waiting", count(0), "stats: the number of waiting drawings"),
        SchemaText.property("running", count(0), "stats: the number of drawings in progress"),
        SchemaText.property("counters", counts, "stats: the number of events of each kind"),
        SchemaText.property("memory", counts, "stats: pictures in memory"),
        SchemaText.property("store", counts, "stats: pictures on disk"),
        SchemaText.property("residentBytes", count(0), "stats: the memory of this process, without its web processes"),
    ]

    private static let counts =
        "\"type\": \"object\", \"additionalProperties\": { \"type\": \"integer\", \"minimum\": 0 }"

    private static func count(_ least: Int) -> String { "\"type\": \"integer\", \"minimum\": \(least)" }
}
