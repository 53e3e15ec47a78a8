import CSpng
import Foundation

/// Decodes a PNG from `PNGEncoder` into the original pixels. Premultiplication survives the round trip without loss,
/// because a component is never larger than its alpha.
package enum PNGDecoder {
    /// - Parameter isOpaque: true if the encoded picture was opaque.
    /// - Returns: nil if the data is not a complete PNG.
    package static func decode(_ data: Data, isOpaque: Bool) -> Pixmap? {
        guard let context = spng_ctx_new(0) else { return nil }
        defer { spng_ctx_free(context) }
        return data.withUnsafeBytes { bytes in
            var header = spng_ihdr()
            var length = 0
            guard spng_set_png_buffer(context, bytes.baseAddress, bytes.count) == 0,
                spng_get_ihdr(context, &header) == 0,
                spng_decoded_image_size(context, Int32(SPNG_FMT_RGBA8.rawValue), &length) == 0
            else { return nil }
            var isWhole = false
            let size = PixelSize(width: Int(header.width), height: Int(header.height))
            guard length == 4 * size.width * size.height else { return nil }
            let pixmap = Pixmap.filled(size: size, isOpaque: isOpaque) { memory in
                isWhole =
                    spng_decode_image(
                        context, memory.baseAddress, length, Int32(SPNG_FMT_RGBA8.rawValue),
                        Int32(SPNG_DECODE_TRNS.rawValue)) == 0
                premultiply(memory)
            }
            return isWhole ? pixmap : nil
        }
    }

    /// Converts straight RGBA to premultiplied BGRA, in place.
    private static func premultiply(_ memory: UnsafeMutableRawBufferPointer) {
        let pixels = memory.assumingMemoryBound(to: UInt8.self)
        for i in stride(from: 0, to: pixels.count, by: 4) {
            let (red, green, blue, alpha) = (pixels[i], pixels[i + 1], pixels[i + 2], UInt32(pixels[i + 3]))
            if alpha == 255 {
                (pixels[i], pixels[i + 2]) = (blue, red)
            } else {
                func part(_ value: UInt8) -> UInt8 { UInt8((UInt32(value) * alpha + 127) / 255) }
                (pixels[i], pixels[i + 1], pixels[i + 2]) = (part(blue), part(green), part(red))
            }
        }
    }
}
