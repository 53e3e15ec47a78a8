import Foundation
import Offstage
import OffstageRequests

/// Which format a client takes best, by its `Accept` header (RFC 9110, 12.5.1).
enum Acceptance {
    /// Of all formats.
    static var types: [String] { ImageFormat.all.map(\.kind.mediaType) }

    /// - Parameter accept: nil or empty for any.
    /// - Returns: nil where none of the formats is taken. Of equal ones the first of `ImageFormat.all`.
    static func format(_ accept: String?) -> ImageFormat? {
        guard let accept, !accept.isEmpty, accept != "*/*" else { return .png() }
        let ranges = accept.split(separator: ",").map { Range($0) }
        var best: (format: ImageFormat, quality: Double)?
        for format in ImageFormat.all {
            let quality = quality(of: format.kind.mediaType, by: ranges)
            if quality > best?.quality ?? 0 { best = (format, quality) }
        }
        return best?.format
    }

    private struct Range {
        let type: String
        let quality: Double

        init(_ text: Substring) {
            let parts = text.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
            type = parts.first ?? ""
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            self.quality = min(max(quality, 0), 1)
        }
    }

    /// The most specific range that fits holds.
    private static func quality(of type: String, by ranges: [Range]) -> Double {
        let family = type.prefix { $0 != "/" } + "/*"
        for wanted in [type, String(family), "*/*"] {
            if let range = ranges.first(where: { $0.type == wanted }) { return range.quality }
        }
        return 0
    }
}
