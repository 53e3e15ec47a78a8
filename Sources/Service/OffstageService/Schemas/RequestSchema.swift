import Offstage
import OffstageRequests

/// The JSON Schema of a request, from the reader's own tables. Like a manifest's schema, it has no limits for the values of options.
package enum RequestSchema {
    package static var text: String {
        SchemaText.document(
            title: "A request of offstage pipe",
            description: "One JSON object on its own line. Null resets an option of the command line to its default.",
            """
              "type": "object",
              "properties": {
            \(([id] + properties + delivery).joined(separator: ",\n"))
              },
              \(SchemaText.oneDocument),
              "additionalProperties": false
            """)
    }

    static let id = SchemaText.property(
        "id", "\"anyOf\": [\(idKinds), { \"type\": \"null\" }]", "Returned unchanged in the result")

    static let idKinds = """
        { "type": "string", "maxLength": 255 }, \
        { "type": "integer", "minimum": -9223372036854775808, "maximum": 9223372036854775807 }
        """

    /// The keys for the picture and the treatment of the request, without the keys for the delivery, which depends on
    /// the transport.
    static var properties: [String] { own + treatment + RowSettings.table.map(SchemaText.property) }

    private static let own =
        [
            SchemaText.property(
                "identifier", "\"type\": \"string\", \"minLength\": 1, \"maxLength\": \(JSONLimits.nameBytes)",
                "The picture's name in the cache, and its path below --out without extension; default a digest of the request"
            )
        ] + SchemaText.contentKeys(file: "The document's file; relative to the working folder")

    private static let treatment = TreatmentKey.allCases.map {
        SchemaText.property($0.rawValue, $0.schema, $0.help)
    }

    private static let delivery = DeliveryKey.allCases.map { key in
        switch key {
        case .output:
            SchemaText.property(
                key.rawValue, "\"type\": [\"string\", \"null\"], \"minLength\": 1",
                "The picture's path below --out; its extension sets the format if nothing else does. "
                    + "Null writes no file. The default is the identifier, if the request has one and is not inline")
        case .inline:
            SchemaText.property(
                key.rawValue, "\"type\": [\"boolean\", \"null\"]", "Return the files' bytes in the result, base64")
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
        case .group: "\"type\": \"string\", \"maxLength\": \(JSONLimits.nameBytes)"
        case .deadline: RequestSchema.seconds
        }
    }

    fileprivate var help: String {
        switch self {
        case .priority: "The priority among waiting requests; default normal"
        case .immediate: "Draw even during a suspension; default false"
        case .group: "A name for several requests, to cancel them or change their priority together"
        case .deadline: "Seconds after which the request fails with the code late if it has no picture yet"
        case .refresh: "Draw even if the picture is cached; default false"
        case .store: "Store the picture in the cache; default true"
        }
    }
}
