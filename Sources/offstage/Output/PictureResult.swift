import Foundation
import Offstage
import OffstageService

/// What became of one input, or of one part of it.
@dynamicMemberLookup
struct PictureResult: Sendable {
    typealias Status = PictureReport.Status

    /// The input's, with a number behind it for a part.
    var identifier: String
    var input: Input
    var report: PictureReport
    /// Where the document is saved.
    var html: String?
    /// It has to be drawn, and the run is paused: to be asked for again.
    var isPutOff = false
    /// Set where the machine lacks something; no other input will fare better.
    var unavailable: EngineUnavailable?

    subscript<Value>(dynamicMember member: KeyPath<PictureReport, Value>) -> Value { report[keyPath: member] }
}

extension PictureResult: Encodable {
    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: ResultKey.self)
        try object.encode(identifier, forKey: .identifier)
        try object.encode(input.source, forKey: .source)
        try object.encodeIfPresent(html, forKey: .html)
        try report.encode(into: &object)
    }

    /// One line of `--json`, keys in alphabetical order.
    var json: String { String(decoding: jsonLine, as: UTF8.self) }
}
