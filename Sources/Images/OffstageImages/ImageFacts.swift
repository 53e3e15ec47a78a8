import COffstageWire
import Foundation
import Offstage

/// The facts in the header of an image file.
public struct ImageFacts: Sendable, Hashable {
    public var kind: ImageKind
    /// The size of the upright image in the file, px.
    public var size: PixelSize
    /// EXIF's orientation in the file, from 1 to 8; 1 is upright.
    public var orientation: Int
    /// The frames of an animation, the pages of a TIFF file or the pictures of a HEIC file; at least 1.
    public var frames: Int
    /// Bits per colour value in the file.
    public var bits: Int
    public var hasAlpha: Bool
    /// The colour profile's name, empty if it has no name; nil without a profile.
    public var profile: String?
    /// The part of the rows that could be decoded, from 0 to 1; 1 for a whole file.
    var decodedShare: Double
    /// True if some decoded rows are incomplete.
    var isPartial: Bool

    /// Reads a worker's report. Untrusted, so it may be any bytes.
    init?(_ report: Data, kind: ImageKind?) {
        guard let kind, report.count == MemoryLayout<offstage_image_report>.size else { return nil }
        let report = report.withUnsafeBytes { $0.loadUnaligned(as: offstage_image_report.self) }
        func number(_ value: UInt32) -> Int { Int(min(value, UInt32(Int32.max))) }
        let (width, height) = (number(report.width), number(report.height))
        guard width > 0, height > 0, (1...8).contains(report.orientation) else { return nil }
        self.kind = kind
        orientation = Int(report.orientation)
        size = orientation >= 5 ? PixelSize(width: height, height: width) : PixelSize(width: width, height: height)
        frames = max(1, number(report.frames))
        bits = number(report.bits)
        hasAlpha = report.has_alpha != 0
        decodedShare = min(1, Double(number(report.rows)) / Double(height))
        isPartial = report.is_partial != 0
        if report.profile_bytes > 0 {
            let name = withUnsafeBytes(of: report.profile) { $0.prefix { $0 >= 0x20 && $0 < 0x7F } }
            profile = String(decoding: name, as: UTF8.self)
        }
    }

    /// The facts by name, for JSON.
    ///
    /// - Parameter pixmap: the picture, for its colours; nil if none was drawn.
    public func all(with pixmap: Pixmap? = nil) -> [String: SourceFact] {
        var facts: [String: SourceFact] = [
            "kind": .text(kind.rawValue), "width": .number(Double(size.width)), "height": .number(Double(size.height)),
            "orientation": .number(Double(orientation)), "frames": .number(Double(frames)),
            "bits": .number(Double(bits)), "alpha": .flag(hasAlpha),
        ]
        if let profile { facts["profile"] = .text(profile) }
        if let pixmap = pixmap?.sample {
            facts["thumbhash"] = .text(pixmap.thumbHash.base64EncodedString())
            if let color = pixmap.dominantColor { facts["dominantColor"] = .text(color.hexadecimal) }
        }
        return facts
    }

    /// Empty for a whole file.
    var warnings: [DrawingWarning] {
        if decodedShare < 1 {
            let percent = Int((decodedShare * 100).rounded(.down))
            let reason = "\(percent) % of its rows could be decoded"
            return [DrawingWarning(.imageDamaged, "its lower part", reason: reason)]
        }
        return isPartial ? [DrawingWarning(.imageDamaged, "a part of its pixels")] : []
    }
}

extension DrawingWarning.Code {
    /// The file is damaged or truncated. The picture shows what could be decoded.
    public static let imageDamaged = Self("image-damaged", "missing because the file is damaged: ")

    /// All codes that a drawing of an image file may have.
    public static let images: [Self] = [.imageDamaged]
}

extension Color {
    /// Formatted like `#1e90ff`.
    fileprivate var hexadecimal: String {
        "#"
            + [red, green, blue].map { value in
                let digits = String(Int((min(1, max(0, value)) * 255).rounded()), radix: 16)
                return digits.count == 1 ? "0" + digits : digits
            }.joined()
    }
}
