import Foundation

/// Parts of a JSON Schema (draft 2020-12), with one property per line.
package enum SchemaText {
    /// A complete schema.
    ///
    /// - Parameter body: the part after the description, indented by two.
    package static func document(title: String, description: String, _ body: String) -> String {
        """
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": \(json(title)),
          "description": \(json(description)),
        \(body)
        }
        """
    }

    package static func property(_ name: String, _ schema: String, _ help: String) -> String {
        "    \"\(name)\": { \(schema), \"description\": \(json(help)) }"
    }

    package static func property(_ option: OptionTable.Option) -> String {
        let kind = option.kind
        let one = schemas(of: kind)
        let list = kind.isList ? ["{ \"type\": \"array\", \"items\": \(anyOf(one)) }"] : []
        return property(
            option.name, "\"anyOf\": [\((one + list + [type("null")]).joined(separator: ", "))]", option.help)
    }

    /// The keys for a row's document.
    ///
    /// - Parameter file: the description of `file`.
    package static func contentKeys(file: String) -> [String] {
        SourceRegistry.all.compactMap(\.textKey).map { property($0, "\"type\": \"string\"", "The document") }
            + [property("file", "\"type\": \"string\", \"minLength\": 1", file)]
    }

    /// The rule that a row has one of these keys.
    package static var oneDocument: String {
        "\"oneOf\": [\(SourceRegistry.contentKeys.map { "{ \"required\": [\"\($0)\"] }" }.joined(separator: ", "))]"
    }

    /// `"enum": ["a", "b"]`
    package static func words(_ words: [String]) -> String {
        "\"enum\": [\(words.map { "\"\($0)\"" }.joined(separator: ", "))]"
    }

    /// The schemas of a value; for a list, those of its elements.
    private static func schemas(of kind: ValueKind) -> [String] {
        if kind.isSwitch { return [type("boolean")] }
        var schemas: [String] = []
        switch kind.number {
        case .whole: schemas.append(type("integer"))
        case .any: schemas.append(type("number"))
        case nil: break
        }
        if kind.isText || kind.isPath { schemas.append(type("string")) }
        if !kind.words.isEmpty { schemas.append("{ \(words(kind.words)) }") }
        return schemas
    }

    private static func type(_ name: String) -> String { "{ \"type\": \"\(name)\" }" }

    private static func anyOf(_ schemas: [String]) -> String {
        schemas.count == 1 ? schemas[0] : "{ \"anyOf\": [\(schemas.joined(separator: ", "))] }"
    }

    package static func json(_ text: String) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        // Encoding a string cannot fail.
        return String(decoding: (try? encoder.encode(text)) ?? Data(), as: UTF8.self)
    }
}
