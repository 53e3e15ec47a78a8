import CWebP
import Foundation

/// Decodes a WebP from `WebPEncoder`, lossy or lossless.
enum WebPDecoder {
    /// - Parameters:
    ///   - size: device px, of the encoded picture.
    ///   - isOpaque: true if the encoded picture was opaque.
    /// - Returns: nil if the data is not a complete WebP of this size.
    static func decode(_ data: Data, size: PixelSize, isOpaque: Bool) -> Pixmap? {
        var config = WebPDecoderConfig()
        guard WebPInitDecoderConfig(&config) != 0 else { return nil }
        return data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
            let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            guard WebPGetFeatures(start, bytes.count, &config.input) == VP8_STATUS_OK,
                Int(config.input.width) == size.width, Int(config.input.height) == size.height
            else { return nil }
            var isWhole = false
            let pixmap = Pixmap.filled(size: size, isOpaque: isOpaque) { memory in
                // Premultiplied BGRA in memory order.
                config.output.colorspace = MODE_bgrA
                config.output.is_external_memory = 1
                config.output.u.RGBA.rgba = memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
                config.output.u.RGBA.stride = Int32(4 * size.width)
                config.output.u.RGBA.size = memory.count
                isWhole = WebPDecode(start, bytes.count, &config) == VP8_STATUS_OK
            }
            return isWhole ? pixmap : nil
        }
    }
}
