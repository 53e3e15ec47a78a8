import OffstageRequests

/// The JSON Schema of a command.
package enum CommandSchema {
    package static var text: String {
        SchemaText.document(
            title: "A command of offstage pipe",
            description: "One JSON object on its own line, between the requests.",
            """
              "type": "object",
              "required": ["command"],
              "oneOf": [
            \(LineCommand.allCases.map(schema).joined(separator: ",\n"))
              ]
            """)
    }

    private static func schema(_ command: LineCommand) -> String {
        var properties = [
            SchemaText.property("command", "\"const\": \"\(command.rawValue)\"", command.help), RequestSchema.id,
        ]
        properties += command.keys.map { SchemaText.property($0.rawValue, $0.schema, $0.help) }
        var rules: [String] = []
        switch command {
        case .cancel, .reprioritise:
            rules.append("\"oneOf\": [\(LineTarget.keys.map(required).joined(separator: ", "))]")
            if command == .reprioritise { rules.append("\"required\": [\"priority\"]") }
        case .prefetch:
            properties += RequestSchema.properties
            rules.append("\"oneOf\": [{ \"required\": [\"html\"] }, { \"required\": [\"file\"] }]")
        case .annotate:
            rules.append("\"required\": [\"file\"]")
            rules.append("\"anyOf\": [\(["annotations", "xfdf", "remove"].map(required).joined(separator: ", "))]")
        case .suspend, .resume, .stats, .finish: break
        }
        rules.append("\"additionalProperties\": false")
        return """
                {
                  "properties": {
            \(properties.map { "    " + $0 }.joined(separator: ",\n"))
                  },
                  \(rules.joined(separator: ",\n      "))
                }
            """
    }

    private static func required(_ key: LineCommand.Key) -> String { required(key.rawValue) }
    private static func required(_ key: String) -> String { "{ \"required\": [\"\(key)\"] }" }
}

extension LineCommand.Key {
    fileprivate var schema: String {
        switch self {
        case .seconds: RequestSchema.seconds
        case .name, .identifier, .prefix, .group: "\"type\": \"string\", \"maxLength\": \(JSONLimits.nameBytes)"
        case .priority: RequestSchema.priority
        case .request: "\"anyOf\": [\(RequestSchema.idKinds)]"
        case .file: "\"type\": \"string\", \"minLength\": 1"
        case .annotations: "\"type\": [\"object\", \"string\", \"null\"]"
        case .xfdf, .output, .passwordFile: "\"type\": [\"string\", \"null\"]"
        case .remove:
            "\"anyOf\": [{ \"const\": \"all\" }, { \"type\": \"array\", \"minItems\": 1, \"items\": { \"type\": \"string\" } }, "
                + "{ \"type\": \"null\" }]"
        case .force, .inline: "\"type\": [\"boolean\", \"null\"]"
        }
    }

    fileprivate var help: String {
        switch self {
        case .seconds: "The maximum duration; default \(Int(LineCommand.leaseSeconds))"
        case .name: "The suspension's name; default empty"
        case .priority: "The priority among waiting requests"
        case .request: "The requests with this id"
        case .identifier: "The requests with this identifier"
        case .prefix: "The requests whose identifiers begin with this text"
        case .group: "The requests in this group"
        case .file: "The PDF document; relative to the working folder"
        case .annotations:
            "The path of an annotation file, .json or .xfdf, or the content of a .json file: see the schema annotations"
        case .xfdf: "The annotations as XFDF"
        case .remove: "The identifiers of the document's annotations to delete, or all"
        case .force: "Change even a certified document; default false"
        case .output: "The path of the new document below --out, with the extension .pdf"
        case .inline: "Return the new document in the result, base64"
        case .passwordFile: "A file whose first line is the password of the document"
        }
    }
}
