import Offstage
import OffstageRequests

/// Building blocks of the description.
extension OpenAPI {
    static func operation(
        _ name: String, _ summary: String, _ description: String? = nil, parameters: [Object] = [], body: Object? = nil,
        answers: Object, problems: [Int]
    ) -> Object {
        var answers = answers
        // Each operation can return the problems of the guards.
        for status in problems + [401, 403, 417, 421, 429, 431] where answers["\(status)"] == nil {
            answers["\(status)"] = ["$ref": "#/components/responses/Problem"]
        }
        var operation: Object = ["operationId": name, "summary": summary, "responses": answers]
        if let description { operation["description"] = description }
        if !parameters.isEmpty { operation["parameters"] = parameters }
        if let body { operation["requestBody"] = body }
        return operation
    }

    static func ref(_ name: String) -> Object { ["$ref": "#/components/schemas/\(name)"] }

    static func answer(_ description: String, _ type: String, _ schema: Object) -> Object {
        ["description": description, "content": [type: ["schema": schema]]]
    }

    static func content(_ type: String, _ schema: Object) -> Object {
        ["required": true, "content": [type: ["schema": schema]]]
    }

    static func parameter(_ name: String, _ schema: Object, _ text: String) -> Object {
        ["name": name, "in": "query", "description": text, "schema": schema]
    }

    static func header(_ name: String) -> Object { ["name": name, "in": "header", "schema": ["type": "string"]] }

    static func pathParameter(_ text: String) -> Object {
        [
            "name": "identifier", "in": "path", "required": true, "description": text,
            "schema": ["type": "string", "minLength": 1],
        ]
    }

    static var documents: Object {
        var content: Object = ["application/json": ["schema": ref("Request")]]
        for type in SourceRegistry.mediaTypes { content[type] = ["schema": ["type": "string", "minLength": 1]] }
        return ["required": true, "content": content]
    }

    static var pictureAnswer: Object {
        let text: Object = ["type": "string"]
        return [
            "description": "The picture",
            "headers": [
                "ETag": ["schema": text], "Offstage-Size": ["schema": text], "Offstage-Scale": ["schema": text],
                "Offstage-Warnings": ["schema": text, "description": "The number of warnings, and their codes"],
            ],
            "content": Dictionary(
                uniqueKeysWithValues: FileFormat.all.map { ($0.kind.mediaType, ["schema": Object()] as Object) }),
        ]
    }

    /// The keys of a request that a query can have.
    static func query(leavingOut names: Set<String>) -> [Object] {
        properties.filter { !names.contains($0.key) && !SourceRegistry.contentKeys.contains($0.key) }
            .sorted { $0.key < $1.key }
            .map { name, schema in
                var schema = schema
                let text = schema.removeValue(forKey: "description") as? String ?? ""
                return parameter(name, schema, text)
            }
    }
}
