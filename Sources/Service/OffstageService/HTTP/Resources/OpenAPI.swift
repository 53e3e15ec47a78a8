import Foundation
import Offstage
import OffstageRequests

/// `/v1/openapi.json`: the description of all requests, for programs (OpenAPI 3.1). The options are from the tables of the reader, so
/// a new option is described automatically.
enum OpenAPI {
    static func answer(version: String) -> HTTPAnswer {
        .json(document(version: version), type: "application/json").with("Cache-Control", "private, no-cache")
    }

    typealias Object = [String: Any]

    private static func document(version: String) -> Object {
        [
            "openapi": "3.1.0",
            "info": [
                "title": "Offstage", "version": version,
                "description": "Renders HTML, images, PDF, sounds and ink. Errors are problem documents (RFC 9457).",
            ],
            "servers": [["url": "/"]],
            "security": [Object(), ["token": [String]()]],
            "paths": picturePaths.merging(peakPaths) { one, _ in one }.merging(annotationPaths) { one, _ in one }
                .merging(servicePaths) { one, _ in one },
            "components": [
                "securitySchemes": ["token": ["type": "http", "scheme": "bearer"]],
                "schemas": [
                    "Request": request, "Command": schema(CommandSchema.text, "Command"),
                    "Result": schema(ResultSchema.text, "Result"),
                    "Annotations": schema(AnnotationSchema.text, "Annotations"),
                    "Problem": problem, "Picture": picture, "Suspension": suspension,
                    "Suspensions": suspensions,
                ],
                "responses": ["Problem": answer("The error", "application/problem+json", ref("Problem"))],
            ],
        ]
    }
}
