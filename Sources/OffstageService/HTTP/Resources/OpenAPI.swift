import Foundation
import Offstage
import OffstageRequests

/// `/v1/openapi.json`: what can be asked, for programs: OpenAPI 3.1. Options come from the tables that the reader goes by, so that
/// a new one is described as soon as it is there.
enum OpenAPI {
    static func answer(version: String) -> HTTPAnswer {
        .json(document(version: version), type: "application/json").with("Cache-Control", "private, no-cache")
    }

    private typealias Object = [String: Any]

    private static func document(version: String) -> [String: Any] {
        [
            "openapi": "3.1.0",
            "info": [
                "title": "Offstage", "version": version,
                "description": "Draws HTML snippets into images. Every error is a problem of RFC 9457.",
            ],
            "servers": [["url": "/"]],
            "security": [Object(), ["token": [String]()]],
            "paths": paths,
            "components": [
                "securitySchemes": ["token": ["type": "http", "scheme": "bearer"]],
                "schemas": [
                    "Request": request, "Command": schema(CommandSchema.text, "Command"),
                    "Result": schema(ResultSchema.text, "Result"),
                    "Problem": problem, "Picture": picture, "Suspension": suspension,
                ],
                "responses": ["Problem": answer("What is wrong", "application/problem+json", ref("Problem"))],
            ],
        ]
    }

    private static var paths: Object {
        let options = query(leavingOut: [])
        return [
            "/v1/images": [
                "post": operation(
                    "drawImage", "The picture of a document", parameters: options, body: documents,
                    answers: ["200": pictureAnswer], problems: [400, 403, 406, 413, 415, 422, 429, 503, 504])
            ],
            "/v1/images/{identifier}": [
                "parameters": [pathParameter("identifier", "The picture's; it may hold slashes")],
                "get": operation(
                    "getImage", "The picture that was put there",
                    parameters: [header("If-None-Match"), header("If-Match")],
                    answers: ["200": pictureAnswer, "304": ["description": "The client has it"]],
                    problems: [400, 404, 412, 503]),
                "head": operation(
                    "lookAtImage", "What is known of that picture",
                    parameters: [header("If-None-Match"), header("If-Match")],
                    answers: [
                        "200": ["description": "It is there"], "304": ["description": "The client has it"],
                        "default": ["description": "It is not there"],
                    ], problems: []),
                "put": operation(
                    "putImage", "Draws a document and keeps its picture, over the end of the service",
                    parameters: query(leavingOut: ["identifier"]) + [header("If-None-Match"), header("If-Match")],
                    body: documents,
                    answers: [
                        "200": answer("It has taken another's place", "application/json", ref("Picture")),
                        "201": answer("It is new", "application/json", ref("Picture")),
                    ], problems: [400, 403, 406, 412, 413, 415, 422, 429, 503, 504, 507]),
                "delete": operation(
                    "deleteImage", "Removes the picture", parameters: [header("If-Match")],
                    answers: ["204": ["description": "It is gone"]], problems: [400, 404, 412, 503]),
            ],
            "/v1/batch": [
                "post": operation(
                    "drawMany", "Requests and commands a line, and a line of result for each while they come",
                    parameters: [parameter("ordered", ["type": "boolean"], "Results in the order of the lines")],
                    body: content("application/jsonl", ["type": "string"]),
                    answers: ["200": answer("Results, a line each", "application/jsonl", ["type": "string"])],
                    problems: [400, 415, 503])
            ],
            "/v1/suspensions": [
                "post": operation(
                    "suspend", "Nothing new is begun until this ends; what is kept still comes",
                    body: [
                        "required": false,
                        "content": [
                            "application/json": ["schema": secondsObject],
                            "application/x-www-form-urlencoded": ["schema": ["type": "object"]],
                        ],
                    ],
                    answers: [
                        "201": answer("It holds", "application/json", ref("Suspension")),
                        "303": ["description": "For a form"],
                    ], problems: [400, 413, 415, 422, 429, 503])
            ],
            "/v1/suspensions/{id}": [
                "parameters": [pathParameter("id", "The suspension's")],
                "delete": operation(
                    "resume", "Ends a suspension", answers: ["204": ["description": "It has ended"]],
                    problems: [400, 404, 503]),
            ],
            "/v1/suspensions/end": [
                "post": operation(
                    "resumeAll", "Ends all suspensions", answers: ["303": ["description": "To the status page"]],
                    problems: [503])
            ],
            "/v1/prefetch": [
                "post": operation(
                    "prefetch", "Draws what /v1/images would and keeps it, at low priority", parameters: options,
                    body: documents,
                    answers: ["202": answer("It will be drawn", "application/json", ["type": "object"])],
                    problems: [400, 403, 406, 413, 415, 422, 429, 503])
            ],
            "/v1/events": [
                "get": operation(
                    "watch", "What happens, as server-sent events",
                    answers: ["200": answer("Events", "text/event-stream", ["type": "string"])], problems: [503])
            ],
            "/v1/openapi.json": [
                "get": operation(
                    "describe", "This", answers: ["200": answer("OpenAPI 3.1", "application/json", ["type": "object"])],
                    problems: [503])
            ],
            "/metrics": [
                "get": operation(
                    "measure", "Counters for Prometheus",
                    answers: ["200": answer("Its text format", "text/plain", ["type": "string"])], problems: [503])
            ],
            "/healthz": [
                "get": operation(
                    "isHealthy", "Whether the service lives",
                    answers: ["200": answer("It does", "text/plain", ["type": "string"])], problems: [])
            ],
            "/readyz": [
                "get": operation(
                    "isReady", "Whether the service takes requests in",
                    answers: ["200": answer("It does", "text/plain", ["type": "string"])], problems: [503])
            ],
            "/": [
                "get": operation(
                    "status", "A page for people",
                    answers: ["200": answer("It", "text/html", ["type": "string"])], problems: [503])
            ],
        ]
    }

    // MARK: Pieces

    private static func operation(
        _ name: String, _ summary: String, parameters: [Object] = [], body: Object? = nil, answers: Object,
        problems: [Int]
    ) -> Object {
        var answers = answers
        // What the guards say comes with each.
        for status in problems + [401, 403, 421] where answers["\(status)"] == nil {
            answers["\(status)"] = ["$ref": "#/components/responses/Problem"]
        }
        var operation: Object = ["operationId": name, "summary": summary, "responses": answers]
        if !parameters.isEmpty { operation["parameters"] = parameters }
        if let body { operation["requestBody"] = body }
        return operation
    }

    private static func ref(_ name: String) -> Object { ["$ref": "#/components/schemas/\(name)"] }

    private static func answer(_ description: String, _ type: String, _ schema: Object) -> Object {
        ["description": description, "content": [type: ["schema": schema]]]
    }

    private static func content(_ type: String, _ schema: Object) -> Object {
        ["required": true, "content": [type: ["schema": schema]]]
    }

    private static func parameter(_ name: String, _ schema: Object, _ text: String) -> Object {
        ["name": name, "in": "query", "description": text, "schema": schema]
    }

    private static func header(_ name: String) -> Object {
        ["name": name, "in": "header", "schema": ["type": "string"]]
    }

    private static func pathParameter(_ name: String, _ text: String) -> Object {
        [
            "name": name, "in": "path", "required": true, "description": text,
            "schema": ["type": "string", "minLength": 1],
        ]
    }

    private static var documents: Object {
        [
            "required": true,
            "content": [
                "text/html": ["schema": ["type": "string", "minLength": 1]],
                "application/json": ["schema": ref("Request")],
            ],
        ]
    }

    private static var pictureAnswer: Object {
        let text: Object = ["type": "string"]
        return [
            "description": "The picture",
            "headers": [
                "ETag": ["schema": text], "Offstage-Size": ["schema": text], "Offstage-Scale": ["schema": text],
                "Offstage-Warnings": [
                    "schema": text, "description": "How many things the picture lacks, and their codes",
                ],
            ],
            "content": Dictionary(
                uniqueKeysWithValues: ImageFormat.all.map { ($0.mediaType, ["schema": Object()] as Object) }),
        ]
    }

    /// The request's keys that a query can say.
    private static func query(leavingOut names: Set<String>) -> [Object] {
        properties.filter { !names.contains($0.key) && !["html", "file"].contains($0.key) }
            .sorted { $0.key < $1.key }
            .map { name, schema in
                var schema = schema
                let text = schema.removeValue(forKey: "description") as? String ?? ""
                return parameter(name, schema, text)
            }
    }

    private static let left = ["id", "output", "inline", "also", "each"]

    private static var properties: [String: Object] {
        (schema(RequestSchema.text, "Request")["properties"] as? [String: Object] ?? [:]).filter {
            !left.contains($0.key)
        }
    }

    private static var request: Object {
        var request = schema(RequestSchema.text, "Request")
        request["title"] = "A request for a picture"
        request["description"] = "Null takes an option of the service's command line away."
        request["properties"] = properties
        return request
    }

    /// One that stands alone elsewhere; its own references lead through this document.
    private static func schema(_ text: String, _ name: String) -> Object {
        let text = text.replacing("#/$defs/", with: "#/components/schemas/\(name)/$defs/")
        // Ours: always JSON.
        var object = (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? Object ?? [:]
        object["$schema"] = nil
        return object
    }

    private static var secondsObject: Object {
        [
            "type": "object",
            "properties": ["seconds": ["type": "number", "exclusiveMinimum": 0, "maximum": 86_400, "default": 60]],
            "additionalProperties": false,
        ]
    }

    private static var suspension: Object {
        [
            "type": "object", "required": ["id", "seconds", "suspended"],
            "properties": [
                "id": ["type": "string"], "seconds": ["type": "number"], "suspended": ["type": "boolean"],
            ],
        ]
    }

    private static var picture: Object {
        [
            "type": "object", "required": ["identifier", "width", "height", "scale", "format", "bytes", "warnings"],
            "properties": [
                "identifier": ["type": "string"], "width": ["type": "integer"], "height": ["type": "integer"],
                "scale": ["type": "number"], "format": ["type": "string"], "bytes": ["type": "integer"],
                "warnings": ["type": "array", "items": ["type": "object"]],
            ],
        ]
    }

    private static var problem: Object {
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
