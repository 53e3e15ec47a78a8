import CSpng
import Foundation

/// PNG by libspng: 8-bit RGB where the picture is opaque, else RGBA; marked sRGB; pHYs holds the device scale factor.
///
/// Unfiltered and at zlib's fastest level: a row of a list is flat colour and text, which filters make larger and slower.
public struct PNGEncoder: ImageEncoder {
    public var fileExtension: String { "png" }

    public init() {}

    public func encode(_ pixmap: Pixmap, scale: Double) throws(EncodingError) -> Data {
        guard let context = spng_ctx_new(Int32(SPNG_CTX_ENCODER.rawValue)) else {
            throw EncodingError("libspng: out of memory")
        }
        defer { spng_ctx_free(context) }
        try Self.writeHeader(of: pixmap, scale: scale, to: context)
        try Self.writeRows(of: pixmap, to: context)

        var length = 0
        var status: Int32 = 0
        guard let bytes = spng_get_png_buffer(context, &length, &status) else { throw Self.error(status) }
        // The buffer is malloc'ed and ours from here on.
        return Data(bytesNoCopy: bytes, count: length, deallocator: .free)
    }

    private static func writeHeader(
        of pixmap: Pixmap, scale: Double, to context: OpaquePointer
    ) throws(EncodingError) {
        try check(spng_set_option(context, SPNG_ENCODE_TO_BUFFER, 1))
        try check(spng_set_option(context, SPNG_IMG_COMPRESSION_LEVEL, 1))
        try check(spng_set_option(context, SPNG_FILTER_CHOICE, Int32(SPNG_DISABLE_FILTERING.rawValue)))

        var header = spng_ihdr()
        header.width = UInt32(pixmap.size.width)
        header.height = UInt32(pixmap.size.height)
        header.bit_depth = 8
        let color = pixmap.isOpaque ? SPNG_COLOR_TYPE_TRUECOLOR : SPNG_COLOR_TYPE_TRUECOLOR_ALPHA
        header.color_type = UInt8(color.rawValue)
        try check(spng_set_ihdr(context, &header))
        try check(spng_set_srgb(context, 0))

        // A CSS px is 1/96 inch (CSS Values 4), an inch 0.0254 m.
        let pixelsPerMetre = UInt32((96 * scale / 0.0254).rounded())
        var physical = spng_phys(ppu_x: pixelsPerMetre, ppu_y: pixelsPerMetre, unit_specifier: 1)
        try check(spng_set_phys(context, &physical))
    }

    private static func writeRows(of pixmap: Pixmap, to context: OpaquePointer) throws(EncodingError) {
        let flags = SPNG_ENCODE_PROGRESSIVE.rawValue | SPNG_ENCODE_FINALIZE.rawValue
        try check(spng_encode_image(context, nil, 0, Int32(SPNG_FMT_PNG.rawValue), Int32(flags)))

        let width = pixmap.size.width
        let length = width * (pixmap.isOpaque ? 3 : 4)
        let row = UnsafeMutableRawBufferPointer.allocate(byteCount: length, alignment: 16)
        defer { row.deallocate() }
        let straighten = pixmap.isOpaque ? StraightPixels.rgb : StraightPixels.rgba
        for y in 0..<pixmap.size.height {
            pixmap.withRow(y) { straighten($0, row) }
            let status = spng_encode_row(context, row.baseAddress, length)
            let isLast = y == pixmap.size.height - 1
            guard status == (isLast ? Int32(SPNG_EOI.rawValue) : 0) else { throw error(status) }
        }
    }

    private static func check(_ status: Int32) throws(EncodingError) {
        if status != 0 { throw error(status) }
    }

    private static func error(_ status: Int32) -> EncodingError {
        EncodingError("libspng: \(String(cString: spng_strerror(status)))")
    }
}
