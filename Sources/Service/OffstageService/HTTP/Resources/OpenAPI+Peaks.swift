extension OpenAPI {
    /// The paths of the peaks of sounds.
    static var peakPaths: Object {
        let file = parameter("file", ["type": "string", "minLength": 1], "A sound file below the folder of --files")
        return [
            "/v1/peaks": [
                "get": get(
                    "getFilePeaks", "Returns a part of the peaks of a sound file", [file], problems: filesProblems),
                "head": head("lookAtFilePeaks", "Returns the headers of a part of the peaks of a sound file", [file]),
            ],
            "/v1/peaks/{identifier}": [
                "parameters": [
                    pathParameter("The identifier under which the sound was PUT at /v1/images/{identifier}")
                ],
                "get": get(
                    "getPeaks", "Returns a part of the peaks of a sound that was PUT", [],
                    problems: [400, 404, 406, 412, 416, 503]),
                "head": head("lookAtPeaks", "Returns the headers of a part of the peaks of a sound that was PUT", []),
            ],
        ]
    }

    private static let filesProblems = [400, 403, 404, 406, 412, 416, 422, 429, 503, 504]

    private static var parameters: [Object] {
        let time: Object = ["type": "string", "pattern": "^([0-9]+:)?([0-9]+:)?[0-9]+(\\.[0-9]*)?$"]
        return [
            parameter("from", time, "The beginning of the part, such as 90 or 1:30.5; default 0"),
            parameter("to", time, "The end of the part; default the end of the sound"),
            parameter(
                "samples-per-pixel", ["type": "integer", "minimum": 256, "maximum": 1 << 24, "default": 256],
                "The number of samples that each value represents"),
            parameter(
                "pixels-per-second", ["type": "integer", "minimum": 1, "maximum": 384_000],
                "The number of values per second, instead of samples-per-pixel"),
            parameter(
                "format", ["type": "string", "pattern": "^(dat|json)(:.*)?$"],
                "json or dat, with options as of --format; default by Accept, else json"),
            header("If-None-Match"), header("If-Match"),
        ]
    }

    private static func get(_ name: String, _ summary: String, _ own: [Object], problems: [Int]) -> Object {
        let text: Object = ["type": "string"]
        let headers: Object = [
            "ETag": ["schema": text],
            "Offstage-Values": [
                "schema": text,
                "description": "The first and the last value, and the number of all values of the sound: 0-99/620",
            ],
            "Offstage-Duration": ["schema": text, "description": "The length of the whole sound, in seconds"],
            "Offstage-Warnings": ["schema": text, "description": "The number of warnings, and their codes"],
        ]
        return operation(
            name, summary,
            "The values are those of the whole sound at this zoom, so adjacent parts fit together. Stored peaks "
                + "are merged; only a file without stored peaks is decoded.",
            parameters: own + parameters,
            answers: [
                "200": [
                    "description": "audiowaveform's JSON or binary data, or wavesurfer's JSON", "headers": headers,
                    "content": [
                        "application/json": ["schema": Object()], "application/x-audiowaveform": ["schema": Object()],
                    ],
                ], "304": ["description": "The client already has this part"],
            ], problems: problems)
    }

    private static func head(_ name: String, _ summary: String, _ own: [Object]) -> Object {
        operation(
            name, summary, parameters: own + parameters,
            answers: [
                "200": ["description": "The sound exists"], "304": ["description": "The client already has this part"],
                "default": ["description": "The sound does not exist, or the request is wrong"],
            ], problems: [])
    }
}
