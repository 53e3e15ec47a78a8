import Foundation

/// Encodes finished pixels as a file. Called off the main thread. The same pixels give the same bytes.
public protocol PictureEncoder: Sendable {
    /// Without a dot: `png`.
    var fileExtension: String { get }

    /// The size limit of the format; nil if it is above what any engine draws.
    var limit: FormatLimit? { get }

    /// Encodes a whole file.
    ///
    /// - Parameters:
    ///   - pixmap: finished pixels; premultiplied, see `Pixmap`.
    ///   - scale: device px per CSS px, recorded in the file if the format allows it.
    /// - Throws: `EncodingError` if the format cannot represent the pixels, or if the encoder itself fails.
    func encode(_ pixmap: Pixmap, scale: Double) throws(EncodingError) -> Data
}

extension PictureEncoder {
    public var limit: FormatLimit? { nil }

    /// Pixels per inch, for formats that record them: a CSS px is 1/96 inch (CSS Values 4).
    static func pixelsPerInch(_ scale: Double) -> Double { 96 * scale }

    /// - Throws: `EncodingError` for a picture over the format's limit.
    func checkSize(of pixmap: Pixmap) throws(EncodingError) {
        guard let limit, max(pixmap.size.width, pixmap.size.height) > limit.side else { return }
        throw EncodingError(
            "\(pixmap.size) device px is too large for \(limit.format); a side may have at most \(limit.side) px")
    }
}

/// The maximum size of a picture in a file format. A request passes it to the engine, which rejects a larger picture
/// before it paints it.
public struct FormatLimit: Sendable, Hashable, Codable {
    /// The usual name of the format: `WebP`.
    public var format: String
    /// The maximum width and the maximum height, device px.
    public var side: Int

    public init(format: String, side: Int) {
        self.format = format
        self.side = side
    }
}

/// An error that prevented encoding.
public struct EncodingError: Error, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The encoder's name and message.
    public var description: String

    public init(_ description: String) { self.description = description }
}
