import Foundation
import Offstage
import OffstageRequests

/// `/v1/openapi.json`: what can be asked, for programs: OpenAPI 3.1. Options come from the tables that the reader goes by, so that
/// a new one is described as soon as it is there.
enum OpenAPI {
    static func answer(version: String) -> HTTPAnswer {
        .json(document(version: version), type: "application/json").with("Cache-Control", "private, no-cache")
    }

    typealias Object = [String: Any]

    private static func document(version: String) -> [String: Any] {
        [
            "openapi": "3.1.0",
            "info": [
                "title": "Offstage", "version": version,
                "description": "Draws HTML snippets into images. Every error is a problem of RFC 9457.",
            ],
            "servers": [["url": "/"]],
            "security": [Object(), ["token": [String]()]],
            "paths": picturePaths.merging(servicePaths) { one, _ in one },
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
}
