import Foundation

extension OpenAPI {
    private static let omitted = ["id", "output", "inline", "also", "each"]

    static var properties: [String: Object] {
        (schema(RequestSchema.text, "Request")["properties"] as? [String: Object] ?? [:]).filter {
            !omitted.contains($0.key)
        }
    }

    static var request: Object {
        var request = schema(RequestSchema.text, "Request")
        request["title"] = "A request for a picture"
        request["description"] = "Null resets an option of the service's command line to its default."
        request["properties"] = properties
        return request
    }

    /// A complete schema as a part of this document, with its references changed accordingly.
    static func schema(_ text: String, _ name: String) -> Object {
        let text = text.replacing("#/$defs/", with: "#/components/schemas/\(name)/$defs/")
        // Our own text is always valid JSON.
        var object = (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? Object ?? [:]
        object["$schema"] = nil
        return object
    }

    static var secondsObject: Object {
        [
            "type": "object",
            "properties": ["seconds": ["type": "number", "exclusiveMinimum": 0, "maximum": 86_400, "default": 60]],
            "additionalProperties": false,
        ]
    }

    static var suspension: Object {
        object(["identifier": "string", "owner": "string", "seconds": "number", "suspended": "boolean"])
    }

    static var suspensions: Object { object(["suspensions": "array"]) }

    static var picture: Object {
        object([
            "identifier": "string", "width": "integer", "height": "integer", "scale": "number", "format": "string",
            "bytes": "integer", "warnings": "array",
        ])
    }

    static var problem: Object {
        [
            "type": "object", "required": ["title", "status", "code", "detail"],
            "properties": [
                "title": ["type": "string"], "status": ["type": "integer"],
                "code": ["type": "string", "description": "A stable name"],
                "detail": ["type": "string", "description": "The problem and the remedy"],
                "warnings": ["type": "array", "items": ["type": "object"]],
            ],
        ]
    }

    /// An object that has all of these properties.
    private static func object(_ types: KeyValuePairs<String, String>) -> Object {
        let properties = types.map { name, type in
            (name, type == "array" ? ["type": type, "items": ["type": "object"]] : ["type": type] as Object)
        }
        return [
            "type": "object", "required": types.map(\.key),
            "properties": Dictionary(uniqueKeysWithValues: properties),
        ]
    }
}
