import Foundation
import Offstage
import OffstageRequests

/// Chooses the format that a client prefers, according to its `Accept` header (RFC 9110, 12.5.1).
enum Acceptance {
    /// The media types of all formats.
    static var types: [String] { FileFormat.all.map(\.kind.mediaType) }

    /// - Parameter accept: nil or empty for any format.
    /// - Returns: nil if the client accepts no format. Among equal formats, the first in `FileFormat.all`.
    static func format(_ accept: String?) -> FileFormat? { format(accept, of: FileFormat.all) }

    /// - Parameter formats: the available formats, the default first.
    static func format(_ accept: String?, of formats: [FileFormat]) -> FileFormat? {
        guard let accept, !accept.isEmpty, accept != "*/*" else { return formats.first }
        // Browsers send ten. Further ones are ignored: checking them would take longer than the picture.
        let ranges = accept.split(separator: ",", maxSplits: 50).prefix(50).map { text in
            let parts = text.split(separator: ";", maxSplits: 8).prefix(8)
                .map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            return (type: parts.first ?? "", quality: min(max(quality, 0), 1))
        }
        var best: (format: FileFormat, quality: Double)?
        for format in formats {
            let quality = quality(of: format.kind.mediaType, by: ranges)
            if quality > best?.quality ?? 0 { best = (format, quality) }
        }
        return best?.format
    }

    /// The most specific matching range applies.
    private static func quality(of type: String, by ranges: [(type: String, quality: Double)]) -> Double {
        let family = type.prefix { $0 != "/" } + "/*"
        for wanted in [type, String(family), "*/*"] {
            if let range = ranges.first(where: { $0.type == wanted }) { return range.quality }
        }
        return 0
    }
}
