import Foundation

extension OpenAPI {
    private static let left = ["id", "output", "inline", "also", "each"]

    static var properties: [String: Object] {
        (schema(RequestSchema.text, "Request")["properties"] as? [String: Object] ?? [:]).filter {
            !left.contains($0.key)
        }
    }

    static var request: Object {
        var request = schema(RequestSchema.text, "Request")
        request["title"] = "A request for a picture"
        request["description"] = "Null takes an option of the service's command line away."
        request["properties"] = properties
        return request
    }

    /// One that stands alone elsewhere; its own references lead through this document.
    static func schema(_ text: String, _ name: String) -> Object {
        let text = text.replacing("#/$defs/", with: "#/components/schemas/\(name)/$defs/")
        // Ours: always JSON.
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
        [
            "type": "object", "required": ["identifier", "seconds", "suspended"],
            "properties": [
                "identifier": ["type": "string"], "seconds": ["type": "number"], "suspended": ["type": "boolean"],
            ],
        ]
    }

    static var picture: Object {
        [
            "type": "object", "required": ["identifier", "width", "height", "scale", "format", "bytes", "warnings"],
            "properties": [
                "identifier": ["type": "string"], "width": ["type": "integer"], "height": ["type": "integer"],
                "scale": ["type": "number"], "format": ["type": "string"], "bytes": ["type": "integer"],
                "warnings": ["type": "array", "items": ["type": "object"]],
            ],
        ]
    }

    static var problem: Object {
        [
            "type": "object", "required": ["title", "status", "code", "detail"],
            "properties": [
                "title": ["type": "string"], "status": ["type": "integer"],
                "code": ["type": "string", "description": "A stable name"],
                "detail": ["type": "string", "description": "What is wrong and what to do"],
                "warnings": ["type": "array", "items": ["type": "object"]],
            ],
        ]
    }
}
