import Foundation
import Offstage
import OffstageService

/// The result of one input, or of one part of it.
@dynamicMemberLookup
struct PictureResult: Sendable {
    typealias Status = PictureReport.Status

    /// The input's identifier, followed by a number for a part.
    var identifier: String
    var input: Input
    var report: PictureReport
    /// The path of the saved document.
    var html: String?
    /// Set if the machine lacks something; all other inputs would fail, too.
    var unavailable: EngineUnavailable?

    subscript<Value>(dynamicMember member: KeyPath<PictureReport, Value>) -> Value { report[keyPath: member] }
}

extension PictureResult: Encodable {
    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: ResultKey.self)
        try object.encode(identifier, forKey: .identifier)
        try object.encode(input.origin, forKey: .source)
        try object.encodeIfPresent(html, forKey: .html)
        try report.encode(into: &object)
    }

    /// One line of `--json`, keys in alphabetical order.
    var json: String { String(decoding: jsonLine, as: UTF8.self) }
}
