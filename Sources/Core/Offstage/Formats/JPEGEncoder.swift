import COffstageJPEG
import Foundation

/// Encodes JPEG with libjpeg-turbo: baseline, with standard tables. JFIF's density records the device scale factor. The
/// colours are sRGB, which readers assume for a JPEG without a profile.
public struct JPEGEncoder: PictureEncoder, Hashable {
    /// The number of pixels that share a colour sample. Each pixel has its own brightness.
    public enum Subsampling: String, Sendable, Hashable, CaseIterable {
        /// One pixel per sample: coloured text stays sharp. For rows of text, quality 75 with this gives files that are
        /// both smaller and closer to the picture than 85 with `square`.
        case none = "4:4:4"
        /// Two pixels side by side.
        case horizontal = "4:2:2"
        /// Four pixels in a square: the smallest files.
        case square = "4:2:0"
    }

    /// 1 to 100. Values outside are clamped. Default 85.
    public var quality: Int
    /// Default `.none`.
    public var subsampling: Subsampling
    /// The colour behind pixels that are not opaque, because JPEG has no alpha. Its own alpha is ignored. Default
    /// white.
    public var background: Color

    public init(quality: Int = 85, subsampling: Subsampling = .none, background: Color = .white) {
        self.quality = quality
        self.subsampling = subsampling
        self.background = background
    }

    public var fileExtension: String { "jpg" }
    public var limit: FormatLimit? { FormatLimit(format: "JPEG", side: Int(offstage_jpeg_side_limit)) }

    public func encode(_ pixmap: Pixmap, scale: Double) throws(EncodingError) -> Data {
        try checkSize(of: pixmap)
        guard let jpeg = offstage_jpeg_new() else { throw EncodingError("libjpeg: out of memory") }
        defer { offstage_jpeg_free(jpeg) }
        func check(_ isDone: Bool) throws(EncodingError) {
            if !isDone { throw EncodingError("libjpeg: \(String(cString: offstage_jpeg_error(jpeg)))") }
        }
        var settings = settings(for: pixmap.size, scale: scale)
        try check(offstage_jpeg_start(jpeg, &settings))
        let flat = UnsafeMutableRawBufferPointer.allocate(byteCount: 4 * pixmap.size.width, alignment: 16)
        defer { flat.deallocate() }
        let flatten = FlatPixels(background: background)
        for y in 0..<pixmap.size.height {
            let isDone = pixmap.withRow(y) { row in
                if pixmap.isOpaque { return offstage_jpeg_write_row(jpeg, row.baseAddress) }
                flatten(row, flat)
                return offstage_jpeg_write_row(jpeg, flat.baseAddress)
            }
            try check(isDone)
        }
        try check(offstage_jpeg_finish(jpeg))
        var length = 0
        let bytes = offstage_jpeg_take(jpeg, &length)
        return Data(bytesNoCopy: bytes!, count: length, deallocator: .free)
    }

    private func settings(for size: PixelSize, scale: Double) -> offstage_jpeg_settings {
        offstage_jpeg_settings(
            width: Int32(size.width), height: Int32(size.height), quality: Int32(min(100, max(1, quality))),
            chroma_width: subsampling == .none ? 1 : 2, chroma_height: subsampling == .square ? 2 : 1,
            pixels_per_inch: Int32(Self.pixelsPerInch(scale).rounded()))
    }
}

/// Blends premultiplied BGRA pixels onto an opaque colour.
private struct FlatPixels {
    /// Blue, green, red: 0 to 255.
    private let background: (UInt32, UInt32, UInt32)

    init(background: Color) {
        func byte(_ component: Double) -> UInt32 { UInt32((min(1, max(0, component)) * 255).rounded()) }
        self.background = (byte(background.blue), byte(background.green), byte(background.red))
    }

    /// `out` has 4 bytes per pixel; the last of them is undefined.
    func callAsFunction(_ bgra: UnsafeRawBufferPointer, _ out: UnsafeMutableRawBufferPointer) {
        let source = bgra.assumingMemoryBound(to: UInt8.self)
        let target = out.assumingMemoryBound(to: UInt8.self)
        for i in stride(from: 0, to: source.count, by: 4) {
            let rest = 255 - UInt32(source[i + 3])
            target[i] = over(source[i], background.0, rest)
            target[i + 1] = over(source[i + 1], background.1, rest)
            target[i + 2] = over(source[i + 2], background.2, rest)
            target[i + 3] = 255
        }
    }

    /// A painter may round a component to one more than its alpha, so clamp it.
    private func over(_ component: UInt8, _ background: UInt32, _ rest: UInt32) -> UInt8 {
        UInt8(min(255, UInt32(component) + (background * rest + 127) / 255))
    }
}
