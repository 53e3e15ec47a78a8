import Foundation
import Offstage

/// The description of a file. `--format` takes a format, or `thumb:120x120` with an optional format after a colon.
/// `--also` takes the same, or a scale such as `2x` with one of these after a colon; the default is then the picture's
/// own format.
package enum VariantSpec {
    /// The picture's own file.
    ///
    /// - Parameter format: the format of a thumbnail if the text names none.
    package static func picture(_ text: String, orElse format: FileFormat) throws(UsageError) -> FileVariant {
        try variant(ofOneScale: text, of: "--format", orElse: ["thumb:WxH"], format)
    }

    /// True if a value of `--format` names a format explicitly.
    package static func namesFormat(_ text: String) -> Bool {
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        return parts[0] != "thumb" || parts.count == 3
    }

    /// - Parameter picture: the picture's own file.
    package static func variant(_ text: String, beside picture: FileVariant) throws(UsageError) -> FileVariant {
        let others = ["thumb:WxH", "a scale such as 2x"]
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, first.last == "x", let scale = Double(first.dropLast()) else {
            return try variant(ofOneScale: text, of: "--also", orElse: others, .png())
        }
        guard Settings.scales.contains(scale) else {
            throw UsageError("--also takes a scale from 0.25x to 3x, not '\(first.excerpt)'")
        }
        var variant = picture
        if parts.count == 2 {
            variant = try self.variant(ofOneScale: String(parts[1]), of: "--also", orElse: others, .png())
        }
        variant.scale = scale
        return variant
    }

    /// - Parameters:
    ///   - option: the option with its dashes.
    ///   - others: the option's values other than formats.
    ///   - format: the format of a thumbnail if the text names none.
    private static func variant(
        ofOneScale text: String, of option: String, orElse others: [String], _ format: FileFormat
    ) throws(UsageError) -> FileVariant {
        guard text == "thumb" || text.hasPrefix("thumb:") else {
            return FileVariant(try FormatSpec.format(text[...], of: option, orElse: others))
        }
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).dropFirst()
        let box = parts.first ?? ""
        let format =
            parts.count == 2 ? try FormatSpec.format(parts.last!, of: "\(option) thumb:\(box.excerpt):") : format
        guard format.medium == .pixels else {
            throw UsageError("\(option) 'thumb:' makes a picture of pixels, but the format \(format.name) has none")
        }
        // With a box above the format's limit, the thumbnail would make every drawing fail.
        let range = 1...(format.limit?.side ?? 32_767)
        let sides = box.split(separator: "x", omittingEmptySubsequences: false).compactMap { Int($0) }
        guard sides.count == 2, box.allSatisfy({ $0.isASCII && $0.isNumber || $0 == "x" }),
            sides.allSatisfy(range.contains)
        else {
            throw UsageError(
                "\(option) thumb: takes a box in device px, such as thumb:120x120, with sides from 1 to "
                    + "\(range.upperBound), not '\(box.excerpt)'")
        }
        return FileVariant(format, fittingInto: PixelSize(width: sides[0], height: sides[1]))
    }
}

extension FileVariant {
    /// The part that distinguishes a thumbnail's name from the name of the picture.
    package var thumbnailMark: String { box.map { ".thumb-\($0.width)x\($0.height)" } ?? "" }

    /// The part that distinguishes the file's name from the picture's: `@2x` for a separate scale, as on web pages and
    /// desktops.
    package var mark: String { (scale.map { String(format: "@%gx", $0) } ?? "") + thumbnailMark }

    /// The part of the file's name after the picture's name.
    package var suffix: String { "\(mark).\(format.fileExtension)" }
}
