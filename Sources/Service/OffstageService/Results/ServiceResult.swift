import Foundation
import Offstage
import OffstageRequests

/// The result of a request or command: one line of JSON, with the keys of `offstage render --json`.
package struct ServiceResult: Sendable {
    /// The reason why there is no picture, for programs. `error` explains it for people.
    package enum Code: String, Sendable, Encodable, CaseIterable {
        /// The line, the request or the command is invalid; sending it again does not help.
        case invalid
        /// The document could not be read.
        case unreadable
        /// The drawing failed.
        case notDrawn = "not-drawn"
        /// The document is encrypted, and the request has no password.
        case passwordRequired = "password-required"
        /// The request's password does not open the document.
        case passwordWrong = "password-wrong"
        /// The picture was drawn, but its file could not be written.
        case notWritten = "not-written"
        /// A later request has written the same file.
        case superseded
        case cancelled
        /// The deadline has passed.
        case late
        /// Too many requests wait.
        case queueFull = "queue-full"
        /// The client lacks the right.
        case notAllowed = "not-allowed"
        /// There is no memory for the line: the client's lines in progress and unread results use up its share.
        case memoryFull = "memory-full"
        /// The machine lacks something, or the program is ending.
        case unavailable
    }

    package enum Outcome: Sendable {
        case picture(PictureReport)
        /// The results of the parts of one drawing.
        case parts([PictureReport])
        case failed(Code, PictureReport)
        /// A command's answer.
        case done([String: JSONValue])
    }

    /// The parts of a line that its result repeats.
    package struct Heading: Sendable {
        /// From 1.
        var line: Int?
        /// The program's own identification of the line.
        var id: JSONValue?
        /// Nil for a request.
        var command: LineCommand?
        /// The identifier of a request's picture, if it is valid.
        var identifier: String?

        /// The line, for messages.
        var place: String {
            let place = "line \(line ?? 0)"
            return identifier.map { RowIdentifier.name(of: $0, at: place) } ?? place
        }

        func result(_ outcome: Outcome) -> ServiceResult { ServiceResult(heading: self, outcome: outcome) }
    }

    let heading: Heading
    var outcome: Outcome

    package static func failure(_ code: Code, _ message: String) -> Outcome {
        .failed(code, PictureReport(failure: message))
    }

    package static func failure(_ error: ServiceError) -> Outcome {
        var report = PictureReport(failure: "\(error)")
        if case .incomplete(let warnings)? = error.reason { report.warnings = warnings }
        return .failed(error.code, report)
    }

    /// Nil for a success.
    package var code: Code? {
        if case .failed(let code, _) = outcome { code } else { nil }
    }
}

extension ServiceResult: Encodable {
    package init(identifier: String?, _ outcome: Outcome) {
        self.init(heading: Heading(identifier: identifier), outcome: outcome)
    }

    package func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: ResultKey.self)
        try object.encodeIfPresent(heading.id, forKey: .id)
        try object.encodeIfPresent(heading.line, forKey: .line)
        try object.encodeIfPresent(heading.identifier, forKey: .identifier)
        try object.encodeIfPresent(heading.command?.rawValue, forKey: .command)
        switch outcome {
        case .picture(let report): try report.encode(into: &object)
        case .failed(let code, let report):
            try object.encode(code, forKey: .code)
            try report.encode(into: &object)
        case .parts(let parts):
            try object.encode(
                parts.enumerated().map { Part(number: $0 + 1, identifier: heading.identifier, report: $1) },
                forKey: .parts)
            // The parts have common values: status, time and warnings.
            var drawing = parts[0]
            (drawing.files, drawing.content) = ([], nil)
            try drawing.encode(into: &object)
        case .done(let details):
            try object.encode("done", forKey: .status)
            try details.encode(to: encoder)
        }
    }

    private struct Part: Encodable {
        var number: Int
        var identifier: String?
        var report: PictureReport

        func encode(to encoder: any Encoder) throws {
            var object = encoder.container(keyedBy: ResultKey.self)
            try object.encode(number, forKey: .part)
            try object.encodeIfPresent(identifier.map { "\($0)-\(number)" }, forKey: .identifier)
            try report.encode(into: &object, isPart: true)
        }
    }
}
