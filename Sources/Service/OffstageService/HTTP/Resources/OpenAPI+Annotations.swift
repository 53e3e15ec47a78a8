import OffstageRequests

extension OpenAPI {
    /// The path of annotations.
    static var annotationPaths: Object {
        [
            "/v1/annotations": [
                "post": operation(
                    "saveAnnotations", "Saves annotations in a PDF document, or deletes some from it",
                    "The old bytes of the document stay as they are. The answer is not cached.",
                    body: content("application/json", annotationRequest),
                    answers: [
                        "200": [
                            "description": "The new document",
                            "headers": [
                                "Offstage-Left-Out": [
                                    "schema": ["type": "integer"],
                                    "description":
                                        "The number of kinds of annotations that were not read or not written",
                                ]
                            ],
                            "content": ["application/pdf": ["schema": Object()]],
                        ]
                    ], problems: [400, 403, 413, 415, 422, 429, 500, 503])
            ]
        ]
    }

    private static var annotationRequest: Object {
        let text: Object = ["type": "string"]
        func described(_ schema: Object, _ description: String) -> Object {
            schema.merging(["description": description]) { one, _ in one }
        }
        return [
            "type": "object",
            "properties": [
                "document": described(["type": "string", "contentEncoding": "base64"], "The document"),
                "file": described(
                    ["type": "string", "minLength": 1], "The document's file, below the folder of --files"),
                "annotations": described(
                    ["anyOf": [ref("Annotations"), ["type": "string", "minLength": 1]]],
                    "The annotations, or the path of an annotation file, .json or .xfdf"),
                "xfdf": described(text, "The annotations as XFDF"),
                "remove": described(
                    ["anyOf": [["const": "all"], ["type": "array", "minItems": 1, "items": text]]],
                    "The identifiers of the document's annotations to delete, or all"),
                "force": described(["type": "boolean"], "Change even a certified document; default false"),
                "password-file": described(text, "A file whose first line is the password of the document"),
            ] as Object,
            "oneOf": [["required": ["document"]], ["required": ["file"]]],
            "anyOf": [["required": ["annotations"]], ["required": ["xfdf"]], ["required": ["remove"]]],
            "additionalProperties": false,
        ]
    }
}
