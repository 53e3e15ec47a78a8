import Foundation
import Offstage

/// What became of one input, or of one part of it.
struct PictureResult: Sendable {
    enum Status: String, Sendable, Encodable {
        case drawn
        /// Drawn, and something is missing from it; the warnings say what.
        case incomplete
        case failed
    }

    /// A further file of the same input.
    struct File: Sendable, Encodable {
        var path: String
        /// Device px.
        var width: Int
        var height: Int
        /// Device px to a CSS px; a thumbnail's is that of the picture it was made of.
        var scale: Double
        var bytes: Int
    }

    /// The input's, with a number behind it for a part.
    var identifier: String
    var input: Input
    var status: Status
    /// Nothing was drawn: the picture is from before.
    var isKept = false
    /// Where the picture is; nil for a failed one and for standard output.
    var path: String?
    /// Device px.
    var size: PixelSize?
    var scale: Double?
    /// Of the file.
    var bytes: Int?
    /// What `--also` asked for, in that order.
    var also: [File] = []
    /// Links, named elements and the text; nil unless `--areas` asks.
    var content: PictureContent?
    /// Where the document is saved.
    var html: String?
    /// From the start of the drawing to the file's place.
    var milliseconds: Double?
    var warnings: [DrawingWarning] = []
    /// Why it failed: names the input, says what to do.
    var error: String?
    /// It has to be drawn, and the run is paused: to be asked for again.
    var isPutOff = false
    /// Set where the machine lacks something; no other input will fare better.
    var unavailable: EngineUnavailable?
}

extension PictureResult: Encodable {
    private enum Key: String, CodingKey {
        case identifier, source, status, kept, path, width, height, scale, bytes, also, areas, text, html, milliseconds,
            warnings, error
    }
    private struct Warning: Encodable {
        var code: String
        var subject: String
        var reason: String?
        var message: String
    }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(identifier, forKey: .identifier)
        try object.encode(input.name, forKey: .source)
        try object.encode(status, forKey: .status)
        if isKept { try object.encode(true, forKey: .kept) }
        try object.encodeIfPresent(path, forKey: .path)
        try object.encodeIfPresent(size?.width, forKey: .width)
        try object.encodeIfPresent(size?.height, forKey: .height)
        try object.encodeIfPresent(scale, forKey: .scale)
        try object.encodeIfPresent(bytes, forKey: .bytes)
        if !also.isEmpty { try object.encode(also, forKey: .also) }
        try object.encodeIfPresent(content?.areas, forKey: .areas)
        try object.encodeIfPresent(content?.text, forKey: .text)
        try object.encodeIfPresent(html, forKey: .html)
        try object.encodeIfPresent(milliseconds.map { ($0 * 100).rounded() / 100 }, forKey: .milliseconds)
        try object.encode(
            warnings.map {
                Warning(code: $0.code.rawValue, subject: $0.subject, reason: $0.reason, message: $0.description)
            },
            forKey: .warnings)
        try object.encodeIfPresent(error, forKey: .error)
    }

    /// One line of `--json`, keys in alphabetical order.
    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Strings and finite numbers only: it cannot fail.
        return String(decoding: (try? encoder.encode(self)) ?? Data(), as: UTF8.self)
    }
}
