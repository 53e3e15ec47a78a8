extension OpenAPI {
    /// The paths of pictures, single and many.
    static var picturePaths: Object {
        let options = query(leavingOut: [])
        let conditions = [header("If-None-Match"), header("If-Match")]
        let isThere: Object = ["description": "The client already has the picture"]
        return [
            "/v1/images": [
                "post": operation(
                    "drawImage", "Renders a document", parameters: options, body: documents,
                    answers: ["200": pictureAnswer], problems: [400, 403, 406, 413, 415, 422, 429, 503, 504])
            ],
            "/v1/images/{identifier}": [
                "parameters": [pathParameter("The picture's identifier; may contain slashes")],
                "get": operation(
                    "getImage", "Returns a stored picture", parameters: conditions,
                    answers: ["200": pictureAnswer, "304": isThere], problems: [400, 404, 412, 503]),
                "head": operation(
                    "lookAtImage", "Returns the headers of a stored picture", parameters: conditions,
                    answers: [
                        "200": ["description": "The picture exists"], "304": isThere,
                        "default": ["description": "The picture does not exist"],
                    ], problems: []),
                "put": operation(
                    "putImage", "Renders a document and stores its picture, which survives a restart",
                    "After the answer 200 or 201, the picture is on disk and survives a restart of the service. It counts towards "
                        + "the store's limits, like all other pictures. The store evicts the least recently used pictures; "
                        + "a GET of an evicted picture returns 404. `offstage cache` reports the state of the store.",
                    parameters: query(leavingOut: ["identifier"]) + conditions, body: documents,
                    answers: [
                        "200": answer("The picture replaces another one", "application/json", ref("Picture")),
                        "201": answer("The picture is new", "application/json", ref("Picture")),
                    ], problems: [400, 403, 406, 412, 413, 415, 422, 429, 503, 504, 507]),
                "delete": operation(
                    "deleteImage", "Deletes a stored picture", parameters: [header("If-Match")],
                    answers: ["204": ["description": "The picture was deleted"]], problems: [400, 404, 412, 503]),
            ],
            "/v1/batch": [
                "post": operation(
                    "drawMany",
                    "Takes one request or command per line, and answers each with one line, "
                        + "even before the whole body has arrived",
                    parameters: [parameter("ordered", ["type": "boolean"], "Results are in the order of the lines")],
                    body: content("application/jsonl", ["type": "string"]),
                    answers: ["200": answer("Results, one per line", "application/jsonl", ["type": "string"])],
                    problems: [400, 415, 503])
            ],
            "/v1/prefetch": [
                "post": operation(
                    "prefetch", "Renders for the cache, at low priority; takes the same requests as /v1/images",
                    parameters: options, body: documents,
                    answers: ["202": answer("The document will be rendered", "application/json", ["type": "object"])],
                    problems: [400, 403, 406, 413, 415, 422, 429, 503])
            ],
        ]
    }
}
