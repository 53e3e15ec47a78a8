import Foundation
import Offstage

/// A further file, as `--also` takes it: a format; or `thumb:120x120` and a format after a colon, default PNG; or `2x`, a
/// scale, and one of these after a colon, default the picture's own format.
package enum VariantSpec {
    /// - Parameter format: the picture's.
    package static func variant(_ text: String, beside format: ImageFormat) throws(UsageError) -> ImageVariant {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, first.last == "x", let scale = Double(first.dropLast()) else {
            return try variant(ofOneScale: text)
        }
        guard SnippetOptions.scales.contains(scale) else {
            throw UsageError("--also takes a scale from 0.25x to 3x, not '\(first)'")
        }
        var variant = parts.count == 2 ? try variant(ofOneScale: String(parts[1])) : ImageVariant(format)
        variant.scale = scale
        return variant
    }

    private static func variant(ofOneScale text: String) throws(UsageError) -> ImageVariant {
        guard text == "thumb" || text.hasPrefix("thumb:") else {
            return ImageVariant(
                try FormatSpec.format(text[...], of: "--also", orElse: ["thumb:WxH", "a scale such as 2x"]))
        }
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).dropFirst()
        let box = parts.first ?? ""
        let format =
            parts.count == 2 ? try FormatSpec.format(parts.last!, of: "--also thumb:\(box):") : ImageFormat.png()
        guard format.medium == .pixels else {
            throw UsageError("--also thumb: makes a picture of pixels; \(format.name) is none")
        }
        // So that no drawing is refused for its thumbnail's sake.
        let range = 1...(format.limit?.side ?? 32_767)
        let sides = box.split(separator: "x", omittingEmptySubsequences: false).compactMap { Int($0) }
        guard sides.count == 2, box.allSatisfy({ $0.isASCII && $0.isNumber || $0 == "x" }),
            sides.allSatisfy(range.contains)
        else {
            throw UsageError(
                "--also thumb: takes a box in device px, such as thumb:120x120, with sides from 1 to "
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
