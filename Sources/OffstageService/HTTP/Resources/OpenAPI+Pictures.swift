extension OpenAPI {
    /// Pictures, one by one and many.
    static var picturePaths: Object {
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
                    "Once this is answered with 200 or 201, the picture is on disk, and the service's end, however it comes, loses "
                        + "none. It is under the store's limits, with all that is drawn: of more than those, what was used least "
                        + "recently goes, and its GET is 404. `offstage cache` tells of the store.",
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
            "/v1/prefetch": [
                "post": operation(
                    "prefetch", "Draws what /v1/images would and keeps it, at low priority", parameters: options,
                    body: documents,
                    answers: ["202": answer("It will be drawn", "application/json", ["type": "object"])],
                    problems: [400, 403, 406, 413, 415, 422, 429, 503])
            ],
        ]
    }
}
