import Foundation

/// A JSON Schema (draft 2020-12) of a manifest's row, from the tables that the command line goes by. It knows kinds and
/// names; the bounds of numbers and what goes with what, the program checks.
package enum ManifestSchema {
    package static var text: String {
        """
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "A row of offstage render --manifest",
          "description": "One JSON object on a line of its own. Null takes an option of the command line away.",
          "type": "object",
          "properties": {
        \((own + RowSettings.table.map(property)).joined(separator: ",\n"))
          },
          "required": ["identifier"],
          "oneOf": [{ "required": ["html"] }, { "required": ["file"] }],
          "additionalProperties": false
        }
        """
    }

    private static let own = [
        property(
            "identifier", "\"type\": \"string\", \"minLength\": 1", "The picture's path below --out, without extension"),
        property("html", "\"type\": \"string\"", "The document"),
        property(
            "file", "\"type\": \"string\", \"minLength\": 1",
            "The document's file; relative paths start at the manifest's folder, or at the working folder for -"),
    ]

    private static func property(_ option: OptionTable.Option) -> String {
        let kind = option.kind
        let one = schemas(of: kind)
        let list = kind.isList ? ["{ \"type\": \"array\", \"items\": \(anyOf(one)) }"] : []
        return property(
            option.name, "\"anyOf\": [\((one + list + [type("null")]).joined(separator: ", "))]", option.help)
    }

    /// What a value may be; for a list, each of its values.
    private static func schemas(of kind: ValueKind) -> [String] {
        if kind.isSwitch { return [type("boolean")] }
        var schemas: [String] = []
        switch kind.number {
        case .whole: schemas.append(type("integer"))
        case .any: schemas.append(type("number"))
        case nil: break
        }
        if kind.isText || kind.isPath { schemas.append(type("string")) }
        if !kind.words.isEmpty {
            schemas.append("{ \"enum\": [\(kind.words.map { "\"\($0)\"" }.joined(separator: ", "))] }")
        }
        return schemas
    }

    private static func type(_ name: String) -> String { "{ \"type\": \"\(name)\" }" }

    private static func anyOf(_ schemas: [String]) -> String {
        schemas.count == 1 ? schemas[0] : "{ \"anyOf\": [\(schemas.joined(separator: ", "))] }"
    }

    private static func property(_ name: String, _ schema: String, _ help: String) -> String {
        "    \"\(name)\": { \(schema), \"description\": \(json(help)) }"
    }

    private static func json(_ text: String) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        // A string cannot fail.
        return String(decoding: (try? encoder.encode(text)) ?? Data(), as: UTF8.self)
    }
}
