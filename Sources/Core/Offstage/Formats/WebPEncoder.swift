import CWebP
import Foundation

/// Encodes WebP with libwebp, with alpha if the picture has any. The colours are sRGB, which the format assumes for a
/// file without a profile. The file does not record the scale.
public struct WebPEncoder: PictureEncoder, Hashable {
    public enum Compression: Sendable, Hashable {
        /// All pixels are preserved exactly.
        case lossless
        /// 0 to 100 (the best). Values outside are clamped. Alpha is always lossless.
        case quality(Int)
    }

    /// Default `.lossless`.
    public var compression: Compression

    public init(compression: Compression = .lossless) {
        self.compression = compression
    }

    public var fileExtension: String { "webp" }
    public var limit: FormatLimit? { FormatLimit(format: "WebP", side: Int(WEBP_MAX_DIMENSION)) }

    public func encode(_ pixmap: Pixmap, scale: Double) throws(EncodingError) -> Data {
        try checkSize(of: pixmap)
        var config = try configuration()
        var picture = try Self.picture(of: pixmap)
        defer { WebPPictureFree(&picture) }
        var writer = WebPMemoryWriter()
        WebPMemoryWriterInit(&writer)
        let isDone = withUnsafeMutablePointer(to: &writer) { writer in
            picture.writer = WebPMemoryWrite
            picture.custom_ptr = UnsafeMutableRawPointer(writer)
            return WebPEncode(&config, &picture) != 0
        }
        guard isDone, let bytes = writer.mem else {
            WebPMemoryWriterClear(&writer)
            throw Self.error(picture.error_code)
        }
        // This code owns the buffer from here on.
        return Data(bytesNoCopy: bytes, count: writer.size, deallocator: .custom { bytes, _ in WebPFree(bytes) })
    }

    private func configuration() throws(EncodingError) -> WebPConfig {
        var config = WebPConfig()
        var isDone = WebPConfigInit(&config) != 0
        switch compression {
        case .lossless:
            // A third smaller than PNG. Level 0 takes a third of the time and saves half as much; level 2 takes twice
            // the time for 7 % more.
            isDone = isDone && WebPConfigLosslessPreset(&config, 1) != 0
            // Invisible pixels also keep their bytes.
            config.exact = 1
        case .quality(let quality):
            config.quality = Float(min(100, max(0, quality)))
            // Half the time of libwebp's default, 4, for files that are 3 % larger.
            config.method = 2
        }
        guard isDone, WebPValidateConfig(&config) != 0 else {
            throw EncodingError("libwebp: not the version that this program was built with")
        }
        return config
    }

    /// Copies the pixels into libwebp's memory, which the caller frees. The result is straight; a pixel's word is
    /// 0xAARRGGBB, which is BGRA in memory.
    private static func picture(of pixmap: Pixmap) throws(EncodingError) -> WebPPicture {
        var picture = WebPPicture()
        guard WebPPictureInit(&picture) != 0 else {
            throw EncodingError("libwebp: not the version that this program was built with")
        }
        picture.use_argb = 1
        picture.width = Int32(pixmap.size.width)
        picture.height = Int32(pixmap.size.height)
        guard WebPPictureAlloc(&picture) != 0, let pixels = picture.argb else { throw error(picture.error_code) }
        let copy = pixmap.isOpaque ? { $1.copyMemory(from: $0) } : StraightPixels.bgra
        for y in 0..<pixmap.size.height {
            let row = UnsafeMutableRawBufferPointer(
                start: pixels + y * Int(picture.argb_stride), count: 4 * pixmap.size.width)
            pixmap.withRow(y) { copy($0, row) }
        }
        return picture
    }

    private static func error(_ code: WebPEncodingError) -> EncodingError {
        switch code {
        case VP8_ENC_ERROR_OUT_OF_MEMORY, VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY:
            EncodingError("libwebp: out of memory")
        case VP8_ENC_ERROR_PARTITION0_OVERFLOW, VP8_ENC_ERROR_PARTITION_OVERFLOW:
            EncodingError("libwebp: more detail than lossy WebP can store; use a lower quality, or lossless")
        default: EncodingError("libwebp: error \(code.rawValue)")
        }
    }
}
