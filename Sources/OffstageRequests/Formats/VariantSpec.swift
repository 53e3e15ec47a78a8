import Foundation
import Offstage

/// A file, as `--format` takes it: a format; or `thumb:120x120` and a format after a colon. And a further one, as `--also`
/// takes it: the same; or `2x`, a scale, and one of these after a colon, default the picture's own.
package enum VariantSpec {
    /// The picture's own file.
    ///
    /// - Parameter format: a thumbnail's, where the text names none.
    package static func picture(_ text: String, orElse format: ImageFormat) throws(UsageError) -> ImageVariant {
        try variant(ofOneScale: text, of: "--format", orElse: ["thumb:WxH"], format)
    }

    /// Whether a text that is `--format`'s leaves nothing to a default.
    package static func namesFormat(_ text: String) -> Bool {
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        return parts[0] != "thumb" || parts.count == 3
    }

    /// - Parameter picture: the picture's own file.
    package static func variant(_ text: String, beside picture: ImageVariant) throws(UsageError) -> ImageVariant {
        let others = ["thumb:WxH", "a scale such as 2x"]
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, first.last == "x", let scale = Double(first.dropLast()) else {
            return try variant(ofOneScale: text, of: "--also", orElse: others, .png())
        }
        guard SnippetOptions.scales.contains(scale) else {
            throw UsageError("--also takes a scale from 0.25x to 3x, not '\(first)'")
        }
        var variant = picture
        if parts.count == 2 {
            variant = try self.variant(ofOneScale: String(parts[1]), of: "--also", orElse: others, .png())
        }
        variant.scale = scale
        return variant
    }

    /// - Parameters:
    ///   - option: with its dashes.
    ///   - others: what it takes beside formats.
    ///   - format: a thumbnail's, where the text names none.
    private static func variant(
        ofOneScale text: String, of option: String, orElse others: [String], _ format: ImageFormat
    ) throws(UsageError) -> ImageVariant {
        guard text == "thumb" || text.hasPrefix("thumb:") else {
            return ImageVariant(try FormatSpec.format(text[...], of: option, orElse: others))
        }
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).dropFirst()
        let box = parts.first ?? ""
        let format =
            parts.count == 2 ? try FormatSpec.format(parts.last!, of: "\(option) thumb:\(box):") : format
        guard format.medium == .pixels else {
            throw UsageError("\(option) thumb: makes a picture of pixels; \(format.name) is none")
        }
        // So that no drawing is refused for its thumbnail's sake.
        let range = 1...(format.limit?.side ?? 32_767)
        let sides = box.split(separator: "x", omittingEmptySubsequences: false).compactMap { Int($0) }
        guard sides.count == 2, box.allSatisfy({ $0.isASCII && $0.isNumber || $0 == "x" }),
            sides.allSatisfy(range.contains)
        else {
            throw UsageError(
                "\(option) thumb: takes a box in device px, such as thumb:120x120, with sides from 1 to "
                    + "\(range.upperBound), not '\(box)'")
        }
        return ImageVariant(format, fittingInto: PixelSize(width: sides[0], height: sides[1]))
    }
}

extension ImageVariant {
    /// What tells a thumbnail's name from the picture's.
    package var thumbnailMark: String { box.map { ".thumb-\($0.width)x\($0.height)" } ?? "" }

    /// What tells the name from the picture's: `@2x` for a scale of its own, as web pages and desktops have it.
    package var mark: String { (scale.map { String(format: "@%gx", $0) } ?? "") + thumbnailMark }

    /// What follows the picture's name in that of its file.
    package var suffix: String { "\(mark).\(format.fileExtension)" }
}
