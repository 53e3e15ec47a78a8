import Offstage
import OffstageRequests

/// A JSON Schema of a request, from the tables that the reader goes by. As a manifest's, it knows no bounds of options.
package enum RequestSchema {
    package static var text: String {
        SchemaText.document(
            title: "A request of offstage pipe",
            description: "One JSON object on a line of its own. Null takes an option of the command line away.",
            """
              "type": "object",
              "properties": {
            \(([id] + properties + delivery).joined(separator: ",\n"))
              },
              "oneOf": [{ "required": ["html"] }, { "required": ["file"] }],
              "additionalProperties": false
            """)
    }

    static let id = SchemaText.property(
        "id", "\"anyOf\": [\(idKinds), { \"type\": \"null\" }]", "Stands in the result as it is here")

    static let idKinds = """
        { "type": "string" }, \
        { "type": "integer", "minimum": -9223372036854775808, "maximum": 9223372036854775807 }
        """

    /// What is drawn, and how it is treated; without what goes by the transport.
    static var properties: [String] { own + treatment + RowSettings.table.map(SchemaText.property) }

    private static let own = [
        SchemaText.property(
            "identifier", "\"type\": \"string\", \"minLength\": 1",
            "What the picture is kept under, and its path below --out without extension; default what it is made of"),
        SchemaText.property("html", "\"type\": \"string\"", "The document"),
        SchemaText.property(
            "file", "\"type\": \"string\", \"minLength\": 1",
            "The document's file; relative paths start at the working folder"),
    ]

    private static let treatment = TreatmentKey.allCases.map {
        SchemaText.property($0.rawValue, $0.schema, $0.help)
    }

    private static let delivery = DeliveryKey.allCases.map { key in
        switch key {
        case .output:
            SchemaText.property(
                key.rawValue, "\"type\": [\"string\", \"null\"], \"minLength\": 1",
                "The picture's path, below --out; its extension says the format where nothing else does. "
                    + "Null for no file; default the identifier, where there is one and the picture is not inline")
        case .inline:
            SchemaText.property(
                key.rawValue, "\"type\": [\"boolean\", \"null\"]", "The files' bytes stand in the result, base64")
        }
    }

    static let priority = SchemaText.words(RenderPriority.allCases.map(\.name))
    static let seconds = "\"type\": \"number\", \"exclusiveMinimum\": 0, \"maximum\": 86400"
}

extension TreatmentKey {
    fileprivate var schema: String {
        switch self {
        case .priority: RequestSchema.priority
        case .immediate, .refresh, .store: "\"type\": \"boolean\""
        case .group: "\"type\": \"string\""
        case .deadline: RequestSchema.seconds
        }
    }

    fileprivate var help: String {
        switch self {
        case .priority: "Among the requests that wait; default normal"
        case .immediate: "It may be drawn during a suspension; default false"
        case .group: "A name to cancel and move requests by, together"
        case .deadline: "Seconds once it is under way; what has no picture by then fails with the code late"
        case .refresh: "It is drawn even if it is kept from before; default false"
        case .store: "It is kept for later; default true"
        }
    }
}
