import Foundation

/// Unencoded pixels, for programs that would only decode a file again: a header of 32 bytes, then the rows from top to
/// bottom, without gaps.
///
/// All numbers are little-endian:
///
///     offset  bytes  content
///          0      8  "OFFSTAGE" in ASCII
///          8      4  version: 1
///         12      4  width, device px
///         16      4  height, device px
///         20      4  bytes per row: 4 * width
///         24      4  "BGRA" or "RGBA" in ASCII
///         28      4  scale, device px per CSS px: an IEEE 754 single
///         32         the pixels
public struct RawEncoder: PictureEncoder, Hashable {
    /// The order of a pixel's bytes, and the kind of alpha.
    public enum Layout: String, Sendable, Hashable, CaseIterable {
        /// Premultiplied, sRGB: cairo (ARGB32), GTK and most compositors draw it without conversion.
        case bgra = "BGRA"
        /// Straight, sRGB: for image libraries and a canvas's ImageData.
        case rgba = "RGBA"
    }

    /// Default `.bgra`.
    public var layout: Layout

    public init(layout: Layout = .bgra) {
        self.layout = layout
    }

    public var fileExtension: String { "raw" }

    public func encode(_ pixmap: Pixmap, scale: Double) throws(EncodingError) -> Data {
        let bytesPerRow = 4 * pixmap.size.width
        var header = Data("OFFSTAGE".utf8)
        func append(_ number: UInt32) { withUnsafeBytes(of: number.littleEndian) { header.append(contentsOf: $0) } }
        for number in [1, pixmap.size.width, pixmap.size.height, bytesPerRow] { append(UInt32(number)) }
        header.append(contentsOf: layout.rawValue.utf8)
        append(Float(scale).bitPattern)

        var bytes = try FileBytes(for: pixmap)
        bytes.reserveCapacity(header.count + bytesPerRow * pixmap.size.height)
        bytes.append(header)
        let straight = UnsafeMutableRawBufferPointer.allocate(byteCount: bytesPerRow, alignment: 16)
        defer { straight.deallocate() }
        for y in 0..<pixmap.size.height {
            try pixmap.withRow(y) { (row) throws(EncodingError) in
                if layout == .bgra { return try bytes.append(row) }
                StraightPixels.rgba(row, straight)
                try bytes.append(UnsafeRawBufferPointer(straight))
            }
        }
        return try bytes.finish()
    }
}
