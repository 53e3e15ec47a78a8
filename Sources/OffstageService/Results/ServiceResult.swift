import Foundation
import Offstage
import OffstageRequests

/// What a program is told of its request or command: one line of JSON, with the keys of `offstage render --json`.
package struct ServiceResult: Sendable {
    /// Why there is no picture, for programs. `error` says it for people.
    package enum Code: String, Sendable, Encodable, CaseIterable {
        /// The line, the request or the command is wrong; the same again fares no better.
        case invalid
        /// The document could not be read.
        case unreadable
        /// It could not be drawn.
        case notDrawn = "not-drawn"
        /// It was drawn, and its file could not be written.
        case notWritten = "not-written"
        /// A later request has taken the same file's place.
        case superseded
        case cancelled
        /// Its deadline was over.
        case late
        /// Too many wait.
        case queueFull = "queue-full"
        /// The machine lacks something, or the program is about to end.
        case unavailable
    }

    package enum Outcome: Sendable {
        case picture(PictureReport)
        /// One a part, of one drawing.
        case parts([PictureReport])
        case failed(Code, PictureReport)
        /// A command's answer.
        case done([String: JSONValue])
    }

    /// As the program gave it.
    package var id: JSONValue?
    /// From 1.
    package var line: Int?
    package var identifier: String?
    /// The command's name; nil of a request.
    package var command: String?
    package var outcome: Outcome

    package init(
        id: JSONValue? = nil, line: Int? = nil, identifier: String? = nil, command: String? = nil, _ outcome: Outcome
    ) {
        self.id = id
        self.line = line
        self.identifier = identifier
        self.command = command
        self.outcome = outcome
    }

    package static func failure(_ code: Code, _ message: String) -> Outcome {
        .failed(code, PictureReport(failure: message))
    }

    package static func failure(_ error: ServiceError) -> Outcome {
        var report = PictureReport(failure: "\(error)")
        if case .incomplete(let warnings)? = error.reason { report.warnings = warnings }
        return .failed(error.code, report)
    }

    /// Nil where there is a picture, or a command was done.
    package var code: Code? {
        if case .failed(let code, _) = outcome { code } else { nil }
    }
}

extension ServiceResult: Encodable {
    package func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: ResultKey.self)
        try object.encodeIfPresent(id, forKey: .id)
        try object.encodeIfPresent(line, forKey: .line)
        try object.encodeIfPresent(identifier, forKey: .identifier)
        try object.encodeIfPresent(command, forKey: .command)
        switch outcome {
        case .picture(let report): try report.encode(into: &object)
        case .failed(let code, let report):
            try object.encode(code, forKey: .code)
            try report.encode(into: &object)
        case .parts(let parts):
            try object.encode(
                parts.enumerated().map { Part(number: $0 + 1, identifier: identifier, report: $1) }, forKey: .parts)
            // What is said of the drawing is the same for all.
            var drawing = parts[0]
            (drawing.path, drawing.size, drawing.scale, drawing.bytes) = (nil, nil, nil, nil)
            (drawing.format, drawing.data, drawing.also, drawing.content) = (nil, nil, [], nil)
            try drawing.encode(into: &object)
        case .done(let details):
            try object.encode("done", forKey: .status)
            var more = encoder.container(keyedBy: DetailKey.self)
            for (name, value) in details { try more.encode(value, forKey: DetailKey(stringValue: name)) }
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

    private struct DetailKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
