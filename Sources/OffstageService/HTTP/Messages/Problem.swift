import Foundation
import Offstage
import OffstageRequests

/// Why there is no answer of the kind that was asked for: problem details for HTTP APIs (RFC 9457).
struct Problem: Error, Sendable {
    let status: Int
    /// A stable name, for programs.
    let code: String
    /// For people: what is wrong and what to do.
    let detail: String
    var headers: [(name: String, value: String)] = []
    /// Of a picture that lacks something, where that was to be an error.
    var warnings: [DrawingWarning] = []

    init(_ status: Int, _ code: String, _ detail: String, headers: [(name: String, value: String)] = []) {
        (self.status, self.code, self.detail, self.headers) = (status, code, detail, headers)
    }

    var answer: HTTPAnswer {
        var object: [String: Any] = ["title": Self.title(status), "status": status, "code": code, "detail": detail]
        if !warnings.isEmpty {
            object["warnings"] = warnings.map { ["code": $0.code.name, "subject": $0.subject] }
        }
        var answer = HTTPAnswer.json(object, status: status, type: "application/problem+json")
        answer.headers += headers
        return answer
    }

    /// With no type of its own, a problem's title is the status's (RFC 9457, 4.2.1).
    static func title(_ status: Int) -> String {
        switch status {
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 406: "Not Acceptable"
        case 408: "Request Timeout"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 415: "Unsupported Media Type"
        case 421: "Misdirected Request"
        case 422: "Unprocessable Content"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        case 507: "Insufficient Storage"
        default: "Error"
        }
    }
}

extension Problem {
    init(_ error: UsageError) { self.init(422, "invalid-request", error.description) }

    /// - Parameter seconds: until what waits now is drawn.
    init(_ error: ServiceError, retryAfter seconds: Int) {
        switch error {
        case .unusable(let text): self.init(422, "unusable-document", text)
        case .late: self.init(504, "deadline-passed", "\(error)")
        case .notDrawn(let place, let reason): self.init(place, reason, retryAfter: seconds)
        }
    }

    private init(_ place: String, _ reason: DrawingError, retryAfter seconds: Int) {
        let text = "\(place): \(reason)"
        let again = [(name: "Retry-After", value: "\(seconds)")]
        switch reason {
        case .queueFull: self.init(429, "queue-full", text, headers: again)
        case .unavailable: self.init(503, "engine-unavailable", text, headers: again)
        case .cancelled: self.init(503, "withdrawn", text, headers: again)
        case .finished: self.init(503, "stopping", "\(place): the service is stopping; ask another one", headers: again)
        case .spoolFailed(let error), .sourceNotSaved(let error):
            if error.isDiskFull { self.init(507, "no-space", text) } else { self.init(500, "file-failed", text) }
        case .engineFailed, .encodingFailed: self.init(500, "engine-failed", text)
        case .engineCrashed: self.init(422, "engine-crashed", text)
        case .engineHung: self.init(422, "engine-hung", text)
        case .invalidRequest: self.init(422, "invalid-request", text)
        case .empty: self.init(422, "empty-document", text)
        case .notWellFormed: self.init(422, "not-well-formed", text)
        case .zeroHeight: self.init(422, "zero-height", text)
        case .notFound: self.init(422, "nothing-matches", text)
        case .partsDiffer: self.init(422, "parts-differ", text)
        case .tooLarge, .tooManyPixels, .tooLargeForFormat: self.init(422, "picture-too-large", text)
        case .overLimit(let excess): self.init(422, excess.limit.rawValue, text)
        case .fontsReplaced: self.init(422, "fonts-replaced", text)
        case .incomplete(let warnings):
            self.init(422, "incomplete", text)
            self.warnings = warnings
        }
    }
}
