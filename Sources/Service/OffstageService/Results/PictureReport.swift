import Foundation
import Offstage

/// The result of one picture, for programs: `offstage render --json` and the services print it.
package struct PictureReport: Sendable {
    package enum Status: String, Sendable, Encodable {
        case drawn
        /// Drawn, but the picture lacks something; see the warnings.
        case incomplete
        case failed
    }

    package struct File: Sendable {
        /// Nil for a file that was not written.
        package var path: String?
        /// Device px.
        package var size: PixelSize
        /// Device px per CSS px; for a thumbnail, the scale of the picture that it was made from.
        package var scale: Double
        /// 0 for pixels without a file.
        package var bytes = 0
        /// Nil for a format without pages.
        package var pages: Int?
        /// Nil if it is in the path.
        package var format: String?
        /// The file's bytes, base64; nil unless requested.
        package var data: String?

        package var width: Int { size.width }
        package var height: Int { size.height }
    }

    /// A further file that could not be made.
    package struct FailedFile: Sendable {
        /// The path at which the file would have been written.
        package var path: String?
        /// The message: the request, the problem and the remedy.
        package var error: String

        package init(path: String?, error: String) { (self.path, self.error) = (path, error) }
    }

    package var status: Status
    /// True if the picture is from the cache.
    package var isCached = false
    /// The picture's own file, then the others in the order of the request; empty for a failure.
    package var files: [File] = []
    /// The further files that could not be made, by the index of the file in the request; never 0, which is the picture's own.
    package var failures: [Int: FailedFile] = [:]
    /// Links, named elements and the text; nil unless requested.
    package var content: PictureContent?
    /// The time from the start of the drawing until the file is written.
    package var milliseconds: Double?
    package var warnings: [DrawingWarning] = []
    /// The message: the request, the problem and the remedy.
    package var error: String?

    package var path: String? { files.first?.path }
    package var size: PixelSize? { files.first?.size }
    package var scale: Double? { files.first?.scale }
    package var bytes: Int? { files.first?.bytes }
    package var also: ArraySlice<File> { files.dropFirst() }

    package init(failure error: String) {
        status = .failed
        self.error = error
    }

    /// A picture without files.
    package init(_ image: RenderedPicture) {
        status = image.isComplete ? .drawn : .incomplete
        files = [File(size: image.size, scale: image.scale)]
        content = image.content
        milliseconds = image.duration / .milliseconds(1)
        warnings = image.warnings
    }

    /// - Parameters:
    ///   - paths: the files' paths, in order; empty if they were not written.
    ///   - extra: the time that writing them took.
    ///   - failures: the files that could not be made.
    package init(
        _ picture: RenderedFiles, at paths: [String], after extra: Duration, _ failures: [Int: FailedFile] = [:]
    ) {
        status = picture.isComplete && failures.isEmpty ? .drawn : .incomplete
        self.failures = failures
        isCached = picture.isCached
        files = picture.files.enumerated().map { index, file in
            File(
                path: index < paths.count ? paths[index] : nil, size: file.size, scale: file.scale,
                bytes: file.byteCount, pages: file.pages)
        }
        content = picture.content
        milliseconds = (picture.duration + extra) / .milliseconds(1)
        warnings = picture.warnings
    }
}

/// The keys of a result, of `--json` and of the services.
package enum ResultKey: String, CodingKey, CaseIterable {
    case identifier, source, status, kept, path, width, height, scale, bytes, pages, format, data, also, areas, text,
        facts,
        html,
        milliseconds, warnings, error
    // Only in results of services
    case id, line, code, part, parts, command
}

extension PictureReport {
    private struct Warning: Encodable {
        var code: String
        var subject: String
        var reason: String?
        var message: String
    }

    /// - Parameter isPart: leaves out the parts' common values.
    package func encode(into object: inout KeyedEncodingContainer<ResultKey>, isPart: Bool = false) throws {
        try files.first?.encode(into: &object)
        if files.count > 1 || !failures.isEmpty { try encodeAlso(&object) }
        if let content {
            if !content.isFactsOnly {
                try object.encode(content.areas, forKey: .areas)
                try object.encode(content.text, forKey: .text)
            }
            if !content.facts.isEmpty { try object.encode(content.facts, forKey: .facts) }
        }
        if isPart { return }
        try object.encode(status, forKey: .status)
        if isCached { try object.encode(true, forKey: .kept) }
        try object.encodeIfPresent(milliseconds.map { ($0 * 100).rounded() / 100 }, forKey: .milliseconds)
        try object.encode(
            warnings.map {
                Warning(code: $0.code.name, subject: $0.subject, reason: $0.reason, message: $0.description)
            },
            forKey: .warnings)
        try object.encodeIfPresent(error, forKey: .error)
    }
}

extension PictureReport {
    /// The further files in the order of the request, including those that failed.
    private func encodeAlso(_ object: inout KeyedEncodingContainer<ResultKey>) throws {
        var (list, made) = (object.nestedUnkeyedContainer(forKey: .also), also)
        for index in 1..<files.count + failures.count {
            if let failure = failures[index] {
                var file = list.nestedContainer(keyedBy: ResultKey.self)
                try file.encodeIfPresent(failure.path, forKey: .path)
                try file.encode(failure.error, forKey: .error)
            } else if let file = made.popFirst() {
                try list.encode(file)
            }
        }
    }
}

extension PictureReport.File: Encodable {
    package func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: ResultKey.self)
        try encode(into: &object)
    }

    fileprivate func encode(into object: inout KeyedEncodingContainer<ResultKey>) throws {
        try object.encodeIfPresent(path, forKey: .path)
        try object.encode(width, forKey: .width)
        try object.encode(height, forKey: .height)
        try object.encode(scale, forKey: .scale)
        if bytes > 0 { try object.encode(bytes, forKey: .bytes) }
        try object.encodeIfPresent(pages, forKey: .pages)
        try object.encodeIfPresent(format, forKey: .format)
        try object.encodeIfPresent(data, forKey: .data)
    }
}

extension Encodable {
    /// One line without its end, with sorted keys. Encoding texts and finite numbers cannot fail.
    package var jsonLine: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return ((try? encoder.encode(self)) ?? Data()).withoutControls
    }
}

extension Data {
    /// JSON with some characters escaped, such as `\u009b`. For JSON they are ordinary text, but DEL and the C1
    /// controls are commands for a terminal, and others change the direction of the text that follows. All other
    /// controls are already escaped.
    package var withoutControls: Data {
        func mayBegin(_ byte: UInt8) -> Bool { byte == 0x7F || byte == 0xC2 || byte == 0xD8 || byte == 0xE2 }
        // Usually, no such character occurs.
        guard contains(where: mayBegin) else { return self }
        var escaped = Data(capacity: count + 16)
        var position = startIndex
        while let found = self[position...].firstIndex(where: mayBegin) {
            escaped.append(self[position..<found])
            if let (code, length) = Self.control(self[found...]) {
                let digits = String(code, radix: 16)
                escaped.append(contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8)
                position = found + length
            } else {
                escaped.append(self[found])
                position = found + 1
            }
        }
        escaped.append(self[position...])
        return escaped
    }

    /// The control character at the start of some UTF-8 text, and the number of its bytes.
    private static func control(_ text: Data) -> (code: UInt32, length: Int)? {
        let start = text.prefix(3)
        let (first, second) = (UInt32(start[start.startIndex]), UInt32(start.dropFirst().first ?? 0))
        let third = UInt32(start.dropFirst(2).first ?? 0)
        switch (first, second, third) {
        case (0x7F, _, _): return (0x7F, 1)
        case (0xC2, 0x80...0x9F, _): return (second, 2)
        case (0xD8, 0x9C, _): return (0x61C, 2)
        case (0xE2, 0x80, 0x8E...0x8F), (0xE2, 0x80, 0xAA...0xAE): return (0x2000 + third - 0x80, 3)
        case (0xE2, 0x81, 0xA6...0xA9): return (0x2040 + third - 0x80, 3)
        default: return nil
        }
    }
}
