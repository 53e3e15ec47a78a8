import Offstage

/// A further file, as `--also` takes it: a format, or `thumb:120x120` and a format after a colon; default PNG.
enum VariantSpec {
    static func variant(_ text: String) throws(UsageError) -> ImageVariant {
        guard text == "thumb" || text.hasPrefix("thumb:") else {
            return ImageVariant(try FormatSpec.format(text[...], of: "--also", orElse: ["thumb:WxH"]))
        }
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).dropFirst()
        let box = parts.first ?? ""
        let format =
            parts.count == 2 ? try FormatSpec.format(parts.last!, of: "--also thumb:\(box):") : ImageFormat.png()
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
    var mark: String { box.map { ".thumb-\($0.width)x\($0.height)" } ?? "" }

    /// What follows the picture's name in that of its file.
    var suffix: String { "\(mark).\(format.fileExtension)" }
}
