import Foundation
import Offstage

/// What became of a picture, as programs are told: what `offstage render --json` and the services say of each.
package struct PictureReport: Sendable {
    package enum Status: String, Sendable, Encodable {
        case drawn
        /// Drawn, and something is missing from it; the warnings say what.
        case incomplete
        case failed
    }

    /// A further file of the same picture.
    package struct File: Sendable, Encodable {
        /// Nil for one that is nowhere.
        package var path: String?
        /// Device px.
        package var width: Int
        /// Device px.
        package var height: Int
        /// Device px to a CSS px; a thumbnail's is that of the picture it was made of.
        package var scale: Double
        package var bytes: Int
        /// Nil where the path says it.
        package var format: String?
        /// Its bytes, base64; nil unless asked for.
        package var data: String?
    }

    package var status: Status
    /// Nothing was drawn: the picture is from before.
    package var isKept = false
    /// Where the picture is; nil for a failed one and for one that is nowhere.
    package var path: String?
    /// Device px.
    package var size: PixelSize?
    package var scale: Double?
    /// Of the file.
    package var bytes: Int?
    /// Nil where the path says it.
    package var format: String?
    /// The file's bytes, base64; nil unless asked for.
    package var data: String?
    /// The further files, in the order that they were asked for.
    package var also: [File] = []
    /// Links, named elements and the text; nil unless asked for.
    package var content: PictureContent?
    /// From the start of the drawing to the file's place.
    package var milliseconds: Double?
    package var warnings: [DrawingWarning] = []
    /// Why it failed: names the request, says what to do.
    package var error: String?

    package init(failure error: String) {
        status = .failed
        self.error = error
    }

    /// Of pixels that are nowhere but in memory.
    package init(_ image: RenderedImage) {
        status = image.isComplete ? .drawn : .incomplete
        size = image.size
        scale = image.scale
        content = image.content
        milliseconds = image.duration / .milliseconds(1)
        warnings = image.warnings
    }

    /// - Parameters:
    ///   - paths: where the files are, in their order; none where they are nowhere.
    ///   - extra: what it took to put them there.
    package init(_ picture: RenderedFiles, at paths: [String], after extra: Duration) {
        status = picture.isComplete ? .drawn : .incomplete
        isKept = picture.isKept
        path = paths.first
        size = picture.files[0].size
        scale = picture.scale
        bytes = picture.files[0].byteCount
        content = picture.content
        milliseconds = (picture.duration + extra) / .milliseconds(1)
        warnings = picture.warnings
        also = picture.files.indices.dropFirst().map { index in
            let file = picture.files[index]
            return File(
                path: index < paths.count ? paths[index] : nil, width: file.size.width, height: file.size.height,
                scale: file.scale, bytes: file.byteCount)
        }
    }
}

/// The keys of a result, of `--json` and of the services.
package enum ResultKey: String, CodingKey, CaseIterable {
    case identifier, source, status, kept, path, width, height, scale, bytes, format, data, also, areas, text, html,
        milliseconds, warnings, error
    // Of a service's alone
    case id, line, code, part, parts, command
}

extension PictureReport {
    private struct Warning: Encodable {
        var code: String
        var subject: String
        var reason: String?
        var message: String
    }

    /// - Parameter parts: whether several pictures share what is said of their drawing: it is left out then.
    package func encode(into object: inout KeyedEncodingContainer<ResultKey>, isPart: Bool = false) throws {
        try object.encodeIfPresent(path, forKey: .path)
        try object.encodeIfPresent(size?.width, forKey: .width)
        try object.encodeIfPresent(size?.height, forKey: .height)
        try object.encodeIfPresent(scale, forKey: .scale)
        try object.encodeIfPresent(bytes, forKey: .bytes)
        try object.encodeIfPresent(format, forKey: .format)
        try object.encodeIfPresent(data, forKey: .data)
        if !also.isEmpty { try object.encode(also, forKey: .also) }
        try object.encodeIfPresent(content?.areas, forKey: .areas)
        try object.encodeIfPresent(content?.text, forKey: .text)
        if isPart { return }
        try object.encode(status, forKey: .status)
        if isKept { try object.encode(true, forKey: .kept) }
        try object.encodeIfPresent(milliseconds.map { ($0 * 100).rounded() / 100 }, forKey: .milliseconds)
        try object.encode(
            warnings.map {
                Warning(code: $0.code.name, subject: $0.subject, reason: $0.reason, message: $0.description)
            },
            forKey: .warnings)
        try object.encodeIfPresent(error, forKey: .error)
    }
}

extension Encodable {
    /// One line without its end, keys in alphabetical order. Of texts and finite numbers only: it cannot fail.
    package var jsonLine: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return ((try? encoder.encode(self)) ?? Data()).withoutControls
    }
}

extension Data {
    /// JSON with DEL and the C1 controls as `\u009b`: they are text to JSON and commands to a terminal. Others are escaped already.
    package var withoutControls: Data {
        // Seldom are there any: DEL, or a lead byte of theirs.
        guard contains(where: { $0 == 0x7F || $0 == 0xC2 }) else { return self }
        var escaped = Data(capacity: count + 16)
        var position = startIndex
        while position < endIndex {
            let byte = self[position]
            let next = position + 1 < endIndex ? self[position + 1] : 0
            if byte == 0x7F {
                escaped.append(contentsOf: "\\u007f".utf8)
            } else if byte == 0xC2, (0x80...0x9F).contains(next) {
                escaped.append(contentsOf: "\\u00\(String(next, radix: 16))".utf8)
                position += 1
            } else {
                escaped.append(byte)
            }
            position += 1
        }
        return escaped
    }
}
