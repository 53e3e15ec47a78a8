extension OpenAPI {
    /// The paths that control the service and report its state.
    static var servicePaths: Object {
        [
            "/v1/suspensions": [
                "get": operation(
                    "listSuspensions", "Lists the suspensions of all clients, with their owners",
                    answers: ["200": answer("The suspensions", "application/json", ref("Suspensions"))],
                    problems: [503]),
                "head": head("lookAtSuspensions", "the suspensions"),
                "post": operation(
                    "suspend", "Suspends the queue until the suspension ends; cached pictures are still returned",
                    body: [
                        "required": false,
                        "content": [
                            "application/json": ["schema": secondsObject],
                            "application/x-www-form-urlencoded": ["schema": ["type": "object"]],
                        ],
                    ],
                    answers: [
                        "201": answer("The queue is suspended", "application/json", ref("Suspension")),
                        "303": ["description": "For a form"],
                    ], problems: [400, 413, 415, 422, 429, 503]),
            ],
            "/v1/suspensions/{identifier}": [
                "parameters": [pathParameter("The suspension's identifier")],
                "delete": operation(
                    "resume", "Ends a suspension", answers: ["204": ["description": "The suspension has ended"]],
                    problems: [400, 404, 503]),
            ],
            "/v1/suspensions/end": [
                "post": operation(
                    "resumeAll", "Ends all suspensions", answers: ["303": ["description": "To the status page"]],
                    problems: [503])
            ],
            "/v1/events": [
                "get": text(
                    "watch", "Sends events as they happen (server-sent events)", "Events", "text/event-stream",
                    description:
                        "The service disconnects a reader that is a megabyte behind. The reader may connect again, but "
                        + "does not get the events that it missed."),
                "head": head("lookAtEvents", "the events, and ends"),
            ],
            "/v1/openapi.json": [
                "get": operation(
                    "describe", "Returns this document",
                    answers: ["200": answer("OpenAPI 3.1", "application/json", ["type": "object"])], problems: [503]),
                "head": head("lookAtDescription", "this document"),
            ],
            "/metrics": [
                "get": text("measure", "Returns counters for Prometheus", "Prometheus's text format"),
                "head": head("lookAtMetrics", "the counters for Prometheus"),
            ],
            "/healthz": [
                "get": text("isHealthy", "Reports that the service runs", "The service runs", problems: []),
                "head": head("looksHealthy", "the report that the service runs", problems: []),
            ],
            "/readyz": [
                "get": text(
                    "isReady",
                    "Reports whether clients should send requests: not before a view is warm (--warm), and not during --drain",
                    "The service is ready"),
                "head": head("looksReady", "the report on whether clients should send requests"),
            ],
            "/": [
                "get": text("status", "Returns the status page, for a browser", "The page", "text/html"),
                "head": head("lookAtStatus", "the status page"),
            ],
        ]
    }

    private static func head(_ name: String, _ what: String, problems: [Int] = [503]) -> Object {
        operation(
            name, "Returns the headers of \(what)",
            answers: ["200": ["description": "The headers of the answer to GET"]], problems: problems)
    }

    private static func text(
        _ name: String, _ summary: String, _ answered: String, _ type: String = "text/plain",
        description: String? = nil, problems: [Int] = [503]
    ) -> Object {
        operation(
            name, summary, description, answers: ["200": answer(answered, type, ["type": "string"])],
            problems: problems)
    }
}
