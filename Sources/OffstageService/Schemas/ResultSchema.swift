import Offstage
import OffstageRequests

/// A JSON Schema of a result: of a request, a command, or a line that is neither.
package enum ResultSchema {
    package static var text: String {
        SchemaText.document(
            title: "A result of offstage pipe",
            description: "One JSON object on a line of its own, for each line that was not empty.",
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
            \((ofFile + [.identifier, .part, .also, .areas, .text]).compactMap(property)
                .map { "        " + $0 }.joined(separator: ",\n"))
                  },
                  "required": ["part", "width", "height", "scale", "bytes"],
                  "additionalProperties": false
                }
              }
            """)
    }

    private static let picture = "[\"width\", \"height\", \"scale\", \"bytes\"]"
    private static let ofFile: [ResultKey] = [.path, .width, .height, .scale, .bytes, .format, .data]
    private static var keys: [String] { ResultKey.allCases.filter { $0 != .part }.compactMap(property) }

    /// Nil for a key of the command line's results alone.
    private static func property(_ key: ResultKey) -> String? {
        let name = key.rawValue
        func line(_ schema: String, _ help: String) -> String { SchemaText.property(name, schema, help) }
        switch key {
        case .source, .html: return nil
        case .id: return line("\"anyOf\": [\(RequestSchema.idKinds)]", "As it was given")
        case .line: return line(count(1), "The number of the line that this answers")
        case .command: return line(SchemaText.words(LineCommand.allCases.map(\.rawValue)), "What was done or failed")
        case .identifier: return line("\"type\": \"string\"", "As it was given; a part's has its number behind it")
        case .status:
            return line(
                SchemaText.words(["drawn", "incomplete", "failed", "done"]),
                "Incomplete: drawn, and the warnings say what it lacks. Done: a command")
        case .code:
            return line(
                SchemaText.words(ServiceResult.Code.allCases.map(\.rawValue)), "Why there is no picture, for programs")
        case .error: return line("\"type\": \"string\"", "Why there is no picture, and what to do")
        case .kept: return line("\"type\": \"boolean\"", "True: nothing was drawn, the picture is from before")
        case .path: return line("\"type\": \"string\"", "Where the file is")
        case .width: return line(count(1), "Device px")
        case .height: return line(count(1), "Device px")
        case .scale: return line("\"type\": \"number\", \"exclusiveMinimum\": 0", "Device px to a CSS px")
        case .bytes: return line(count(1), "Of the file")
        case .format: return line(SchemaText.words(ImageFormat.all.map(\.name)), "Where no path says it")
        case .data:
            return line(
                "\"type\": \"string\", \"contentEncoding\": \"base64\"", "The file's bytes, where they are inline")
        case .part: return line(count(1), "From 1, in the document's order")
        case .parts: return line("\"type\": \"array\", \"items\": \(reference("part"))", "The pictures, with \"each\"")
        case .also: return line("\"type\": \"array\", \"items\": \(reference("file"))", "The further files")
        case .areas:
            return line(
                "\"type\": \"array\", \"items\": { \"type\": \"object\" }", "Links and named elements, with \"areas\"")
        case .text: return line("\"type\": \"string\"", "What a screen reader would say, with \"areas\"")
        case .milliseconds: return line("\"type\": \"number\"", "From the start of the drawing to the file's place")
        case .warnings:
            return line(
                "\"type\": \"array\", \"items\": \(warning)", "What the picture lacks, and what scripts wrote")
        }
    }

    private static var warning: String {
        let codes = SchemaText.words(DrawingWarning.Code.html.map(\.name))
        return """
            { "type": "object", "properties": { "code": { \(codes) }, "subject": { "type": "string" }, \
            "reason": { "type": "string" }, "message": { "type": "string" } }, \
            "required": ["code", "subject", "message"], "additionalProperties": false }
            """
    }

    /// What commands tell.
    private static let details = [
        SchemaText.property(
            "suspended", "\"type\": \"boolean\"", "suspend, resume, stats: whether nothing new is begun"),
        SchemaText.property("seconds", "\"type\": \"number\"", "suspend: how long at most"),
        SchemaText.property("expired", "\"type\": \"boolean\"", "resume: whether its time was over already"),
        SchemaText.property("requests", count(0), "reprioritise, cancel: how many were meant"),
        SchemaText.property("pictures", count(1), "prefetch: how many there are"),
        SchemaText.property("lines", count(0), "finish: answered so far"),
        SchemaText.property("failed", count(0), "finish: of these, not counting what was cancelled"),
        SchemaText.property("underWay", count(0), "stats: requests of this program without an answer"),
        SchemaText.property("waiting", count(0), "stats: drawings"),
        SchemaText.property("running", count(0), "stats: drawings"),
        SchemaText.property("counters", counts, "stats: what has happened so far"),
        SchemaText.property("memory", counts, "stats: pictures in memory"),
        SchemaText.property("store", counts, "stats: pictures on disk"),
        SchemaText.property("residentBytes", count(0), "stats: of this process, without its web processes"),
    ]

    private static let counts =
        "\"type\": \"object\", \"additionalProperties\": { \"type\": \"integer\", \"minimum\": 0 }"

    private static func count(_ least: Int) -> String { "\"type\": \"integer\", \"minimum\": \(least)" }
    private static func reference(_ name: String) -> String { "{ \"$ref\": \"#/$defs/\(name)\" }" }
}
