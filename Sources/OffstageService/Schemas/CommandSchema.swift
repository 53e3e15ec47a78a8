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

    private static func required(_ key: LineCommand.Key) -> String { "{ \"required\": [\"\(key.rawValue)\"] }" }
}

extension LineCommand.Key {
    fileprivate var schema: String {
        switch self {
        case .seconds: RequestSchema.seconds
        case .name, .identifier, .prefix, .group: "\"type\": \"string\", \"maxLength\": \(JSONLimits.nameBytes)"
        case .priority: RequestSchema.priority
        case .request: "\"anyOf\": [\(RequestSchema.idKinds)]"
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
        }
    }
}
