import CSpng
import Foundation

/// Encodes PNG with libspng and ISA-L: 8-bit RGB if the picture is opaque, else RGBA. The file is marked as sRGB, and
/// pHYs records the device scale factor.
///
/// Rows are not filtered: list rows are flat colour and text, which filters make larger and slower.
public struct PNGEncoder: PictureEncoder, Hashable {
    /// 0 (stored) to 9 (the smallest file). Values outside are clamped. The default, 1, uses ISA-L and is the fastest;
    /// the others use zlib.
    public var level: Int
    /// True: a picture of at most 256 colours is stored as a palette and indices, with the same pixels. It has no
    /// effect on a picture of more colours. Default false.
    public var usesPalette: Bool

    public init(level: Int = 1, usesPalette: Bool = false) {
        self.level = level
        self.usesPalette = usesPalette
    }

    public var fileExtension: String { "png" }

    public func encode(_ pixmap: Pixmap, scale: Double) throws(EncodingError) -> Data {
        guard let context = spng_ctx_new(Int32(SPNG_CTX_ENCODER.rawValue)) else {
            throw EncodingError("libspng: out of memory")
        }
        defer { spng_ctx_free(context) }
        let palette = usesPalette ? Palette(of: pixmap) : nil
        let output = try PNGOutput(for: pixmap)
        try output.attach(to: context)
        try writeHeader(of: pixmap, palette, scale: scale, to: context)
        do throws(EncodingError) {
            try write(pixmap, palette, to: rows(of: pixmap, palette, context, output))
        } catch {
            // libspng knows only that the output was rejected.
            throw output.error ?? error
        }
        return try output.finish()
    }

    private func writeHeader(
        of pixmap: Pixmap, _ palette: Palette?, scale: Double, to context: OpaquePointer
    ) throws(EncodingError) {
        try EncodingError.check(spng_set_option(context, SPNG_IMG_COMPRESSION_LEVEL, Int32(min(9, max(0, level)))))
        try EncodingError.check(spng_set_option(context, SPNG_FILTER_CHOICE, Int32(SPNG_DISABLE_FILTERING.rawValue)))

        var header = spng_ihdr()
        header.width = UInt32(pixmap.size.width)
        header.height = UInt32(pixmap.size.height)
        header.bit_depth = 8
        let color =
            palette != nil
            ? SPNG_COLOR_TYPE_INDEXED
            : pixmap.isOpaque ? SPNG_COLOR_TYPE_TRUECOLOR : SPNG_COLOR_TYPE_TRUECOLOR_ALPHA
        header.color_type = UInt8(color.rawValue)
        try EncodingError.check(spng_set_ihdr(context, &header))
        try EncodingError.check(spng_set_srgb(context, 0))

        let pixelsPerMetre = UInt32((Self.pixelsPerInch(scale) / 0.0254).rounded())
        var physical = spng_phys(ppu_x: pixelsPerMetre, ppu_y: pixelsPerMetre, unit_specifier: 1)
        try EncodingError.check(spng_set_phys(context, &physical))
        if let palette { try Self.write(palette, to: context) }
    }

    private static func write(_ palette: Palette, to context: OpaquePointer) throws(EncodingError) {
        var colors = spng_plte()
        colors.n_entries = UInt32(palette.colors.count)
        withUnsafeMutableBytes(of: &colors.entries) { entries in
            // An entry has four bytes: red, green, blue and a reserved one.
            palette.colors.withUnsafeBytes { entries.copyMemory(from: $0) }
        }
        try EncodingError.check(spng_set_plte(context, &colors))
        let alpha = palette.colors.map(Palette.alpha).filter { $0 < 255 }
        if alpha.isEmpty { return }
        var transparency = spng_trns()
        transparency.n_type3_entries = UInt32(alpha.count)
        withUnsafeMutableBytes(of: &transparency.type3_alpha) { $0.copyBytes(from: alpha) }
        try EncodingError.check(spng_set_trns(context, &transparency))
    }

    private func rows(
        of pixmap: Pixmap, _ palette: Palette?, _ context: OpaquePointer, _ output: PNGOutput
    ) throws(EncodingError) -> any PNGRows {
        let length = pixmap.size.width * (palette != nil ? 1 : pixmap.isOpaque ? 3 : 4)
        guard level == 1 else { return try SpngRows(context, length: length) }
        try EncodingError.check(spng_encode_chunks(context))
        return QuickPNGRows(output, length: length)
    }

    private func write(_ pixmap: Pixmap, _ palette: Palette?, to rows: any PNGRows) throws(EncodingError) {
        if let palette {
            try palette.forEachRow(of: pixmap) { indices throws(EncodingError) in
                try rows.append { $0.copyBytes(from: indices) }
            }
        } else {
            let straighten = pixmap.isOpaque ? StraightPixels.rgb : StraightPixels.rgba
            for y in 0..<pixmap.size.height {
                try rows.append { row in pixmap.withRow(y) { straighten($0, row) } }
            }
        }
        try rows.finish()
    }
}

/// Collects a PNG's bytes.
final class PNGOutput {
    private var bytes: FileBytes
    /// The reason why the output stopped libspng.
    private(set) var error: EncodingError?

    init(for pixmap: Pixmap) throws(EncodingError) { bytes = try FileBytes(for: pixmap) }

    /// The output must outlive the context.
    func attach(to context: OpaquePointer) throws(EncodingError) {
        let status = spng_set_png_stream(
            context,
            { _, user, source, length in
                let output = Unmanaged<PNGOutput>.fromOpaque(user!).takeUnretainedValue()
                do throws(EncodingError) {
                    try output.bytes.append(UnsafeRawBufferPointer(start: source, count: length))
                    return 0
                } catch {
                    output.error = error
                    return Int32(SPNG_IO_ERROR.rawValue)
                }
            }, Unmanaged.passUnretained(self).toOpaque())
        try EncodingError.check(status)
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws(EncodingError) { try self.bytes.append(bytes) }
    func append(_ few: [UInt8]) { bytes.append(Data(few)) }

    func finish() throws(EncodingError) -> Data { try bytes.finish() }
}
