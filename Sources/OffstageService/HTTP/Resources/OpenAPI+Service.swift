extension OpenAPI {
    /// What holds the service back, tells of it, or is for people.
    static var servicePaths: Object {
        [
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
            "/v1/suspensions/{identifier}": [
                "parameters": [pathParameter("identifier", "The suspension's")],
                "delete": operation(
                    "resume", "Ends a suspension", answers: ["204": ["description": "It has ended"]],
                    problems: [400, 404, 503]),
            ],
            "/v1/suspensions/end": [
                "post": operation(
                    "resumeAll", "Ends all suspensions", answers: ["303": ["description": "To the status page"]],
                    problems: [503])
            ],
            "/v1/events": [
                "get": operation(
                    "watch", "What happens, as server-sent events",
                    "A reader that is a megabyte behind is dropped, and may come back; what happened meanwhile is not told again.",
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
                    "isReady",
                    "Whether clients are to send requests here: not before a view is warm (--warm), and not while it drains (--drain)",
                    answers: ["200": answer("It does", "text/plain", ["type": "string"])], problems: [503])
            ],
            "/": [
                "get": operation(
                    "status", "A page for people",
                    answers: ["200": answer("It", "text/html", ["type": "string"])], problems: [503])
            ],
        ]
    }
}
