import Foundation

/// Turns finished pixels into a file's bytes. Called off the main thread; the same pixels give the same bytes.
public protocol ImageEncoder: Sendable {
    /// Without a dot: `png`.
    var fileExtension: String { get }

    /// How large a picture the format can hold; nil where that is more than any engine draws.
    var limit: FormatLimit? { get }

    /// Makes a whole file.
    ///
    /// - Parameters:
    ///   - pixmap: finished pixels; premultiplied, see `Pixmap`.
    ///   - scale: device px to a CSS px, recorded in the file where the format can.
    /// - Throws: for pixels that the format cannot hold, and where the encoder itself fails.
    func encode(_ pixmap: Pixmap, scale: Double) throws(EncodingError) -> Data
}

extension ImageEncoder {
    public var limit: FormatLimit? { nil }

    /// Pixels to an inch, for formats that record them: a CSS px is 1/96 inch (CSS Values 4).
    static func pixelsPerInch(_ scale: Double) -> Double { 96 * scale }

    /// - Throws: for a picture over the format's limit, in words that say so.
    func checkSize(of pixmap: Pixmap) throws(EncodingError) {
        guard let limit, max(pixmap.size.width, pixmap.size.height) > limit.side else { return }
        throw EncodingError("\(pixmap.size) device px is too large for \(limit.format), a side may have \(limit.side)")
    }
}

/// How large a picture a file format can hold. A request carries it to the engine, which refuses what is larger before it
/// is painted.
public struct FormatLimit: Sendable, Hashable {
    /// What people call the format: `WebP`.
    public var format: String
    /// Device px, for the width and for the height.
    public var side: Int

    public init(format: String, side: Int) {
        self.format = format
        self.side = side
    }
}

/// Pixels that could not be made into a file.
public struct EncodingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The encoder's name and its own words.
    public var description: String

    public init(_ description: String) { self.description = description }
}
