import Foundation
import Offstage
import OffstageRequests

/// An error as an answer: problem details for HTTP APIs (RFC 9457).
struct Problem: Error, Sendable {
    let status: Int
    /// A stable name, for programs.
    let code: String
    /// The problem and the remedy, for people.
    let detail: String
    var headers: KeyValuePairs<String, String>
    /// The picture's warnings, if a warning counts as an error.
    var warnings: [DrawingWarning] = []

    init(_ status: Int, _ code: String, _ detail: String, headers: KeyValuePairs<String, String> = [:]) {
        (self.status, self.code, self.detail, self.headers) = (status, code, detail, headers)
    }

    var answer: HTTPAnswer {
        var object: [String: Any] = ["title": Self.title(status), "status": status, "code": code, "detail": detail]
        if !warnings.isEmpty { object["warnings"] = warnings.map(\.object) }
        var answer = HTTPAnswer.json(object, status: status, type: "application/problem+json")
        answer.headers += headers.map { ($0, $1) }
        return answer
    }

    /// The status's own title, because our problems have no type URI (RFC 9457, 4.2.1).
    static func title(_ status: Int) -> String { titles[status] ?? "Unknown" }

    private static let titles = [
        200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 303: "See Other", 304: "Not Modified",
        400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        406: "Not Acceptable", 412: "Precondition Failed", 413: "Content Too Large", 415: "Unsupported Media Type",
        416: "Range Not Satisfiable", 417: "Expectation Failed", 421: "Misdirected Request",
        422: "Unprocessable Content", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
        500: "Internal Server Error", 503: "Service Unavailable", 504: "Gateway Timeout", 507: "Insufficient Storage",
    ]
}

extension DrawingWarning {
    /// The warning as part of an HTTP response.
    var object: [String: String] { ["code": code.name, "subject": subject] }
}

extension Problem {
    init(_ error: UsageError) { self.init(422, "invalid-request", error.description) }

    /// For requests that arrive while the service stops.
    static let stopping = Problem(503, "stopping", stoppingText, headers: ["Retry-After": "1"])
    private static let stoppingText = "the service is stopping; use another one"

    /// - Parameter bodyLimit: the maximum number of bytes of a body.
    init(_ refusal: RequestParser.Refusal, bodyLimit: Int) {
        switch refusal {
        case .malformed(let problem):
            self.init(400, "malformed-request", "the request is not valid HTTP (RFC 9112): \(problem)")
        case .headTooLarge:
            self.init(
                431, "head-too-large",
                "the request's headers have more than \(RequestParser.longestHead) bytes or \(RequestParser.mostLines) lines, "
                    + "or one has more than \(RequestParser.longestField) bytes")
        case .bodyTooLarge:
            self.init(
                413, "body-too-large",
                "the request's body has more than \(bodyLimit) bytes; send less, or start the service with a larger "
                    + "--max-body")
        }
    }

    /// - Parameter seconds: the time until the waiting drawings are finished.
    init(_ error: ServiceError, retryAfter seconds: Int) {
        switch error {
        case .unusable(let text): self.init(422, "unusable-document", text)
        case .late: self.init(504, "deadline-passed", "\(error)")
        case .notDrawn(let place, let reason): self.init(place, reason, retryAfter: seconds)
        }
    }

    private init(_ place: String, _ reason: DrawingError, retryAfter seconds: Int) {
        let (status, code): (Int, String)
        switch reason {
        case .queueFull: (status, code) = (429, "queue-full")
        case .unavailable: (status, code) = (503, "engine-unavailable")
        case .cancelled: (status, code) = (503, "withdrawn")
        case .finished: (status, code) = (503, "stopping")
        case .spoolFailed(let error), .sourceNotSaved(let error):
            (status, code) = error.isDiskFull ? (507, "no-space") : (500, "file-failed")
        case .engineFailed, .encodingFailed: (status, code) = (500, "engine-failed")
        case .engineCrashed: (status, code) = (422, "engine-crashed")
        case .engineHung: (status, code) = (422, "engine-hung")
        case .invalidRequest: (status, code) = (422, "invalid-request")
        case .empty: (status, code) = (422, "empty-document")
        case .unusable(let problem): (status, code) = (422, problem.code)
        case .partsDiffer: (status, code) = (422, "parts-differ")
        case .tooLarge, .tooManyPixels, .tooLargeForFormat: (status, code) = (422, "picture-too-large")
        case .overLimit(let excess): (status, code) = (422, excess.limit.rawValue)
        case .incomplete: (status, code) = (422, "incomplete")
        }
        let text = if case .finished = reason { Self.stoppingText } else { "\(reason)" }
        let mayRetry = status == 429 || status == 503
        self.init(status, code, "\(place): \(text)", headers: mayRetry ? ["Retry-After": "\(seconds)"] : [:])
        if case .incomplete(let warnings) = reason { self.warnings = warnings }
    }
}
