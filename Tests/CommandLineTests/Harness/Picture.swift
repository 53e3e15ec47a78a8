import CSpng
import Foundation

/// A PNG file that is decoded completely: a truncated or damaged file throws an error.
struct Picture: Equatable {
    struct Damage: Error, CustomStringConvertible { var description: String }

    let width: Int
    let height: Int
    /// Device px per CSS px, from the physical size that the file records.
    let scale: Double
    let hasAlpha: Bool
    private let pixels: [UInt8]

    init(_ data: Data) throws {
        guard let context = spng_ctx_new(0) else { throw Damage(description: "out of memory") }
        defer { spng_ctx_free(context) }
        func check(_ status: Int32) throws {
            if status != 0 { throw Damage(description: String(cString: spng_strerror(status))) }
        }
        let bytes = [UInt8](data)
        try check(spng_set_png_buffer(context, bytes, bytes.count))
        var header = spng_ihdr()
        try check(spng_get_ihdr(context, &header))
        var size = 0
        try check(spng_decoded_image_size(context, Int32(SPNG_FMT_RGBA8.rawValue), &size))
        var pixels = [UInt8](repeating: 0, count: size)
        try check(spng_decode_image(context, &pixels, size, Int32(SPNG_FMT_RGBA8.rawValue), 0))
        try check(spng_decode_chunks(context))
        var physical = spng_phys()
        try check(spng_get_phys(context, &physical))
        width = Int(header.width)
        height = Int(header.height)
        scale = (Double(physical.ppu_x) * 0.0254 / 96 * 100).rounded() / 100
        hasAlpha = header.color_type == UInt8(SPNG_COLOR_TYPE_TRUECOLOR_ALPHA.rawValue)
        self.pixels = pixels
    }

    var size: [Int] { [width, height] }

    /// The mean difference of the components, on a scale of 255; nil if the other picture has a different size or
    /// scale.
    func meanDifference(from other: Picture) -> Double? {
        guard size == other.size, scale == other.scale else { return nil }
        let sum = zip(pixels, other.pixels).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        return Double(sum) / Double(pixels.count)
    }

    /// Straight red, green, blue and alpha.
    subscript(x: Int, y: Int) -> [UInt8] { Array(pixels[4 * (y * width + x)..<4 * (y * width + x) + 4]) }

    /// The number of pixels with exactly this colour.
    func count(of color: [UInt8]) -> Int {
        let wanted = color.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
        return pixels.withUnsafeBytes { bytes in bytes.bindMemory(to: UInt32.self).count { $0 == wanted } }
    }

    /// The number of pixels, from this row on, that are darker than any background, which means text.
    func ink(below y: Int) -> Int {
        stride(from: 4 * y * width, to: pixels.count, by: 4).count { pixels[$0] < 160 }
    }
}
