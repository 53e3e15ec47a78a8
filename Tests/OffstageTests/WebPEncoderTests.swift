import Foundation
import Offstage
import Testing

/// The file's properties, as another program reads them.
struct WebPEncoderTests {
    private func read(_ encoder: WebPEncoder, _ pixmap: Pixmap) throws -> OtherProgram {
        try OtherProgram(encoder.encode(pixmap, scale: 1), as: encoder.fileExtension)
    }

    @Test(arguments: [true, false])
    func losslessIsExact(isOpaque: Bool) throws {
        let sample = Pixmap.sample(isOpaque: isOpaque)
        let file = try read(WebPEncoder(), sample)
        #expect((file.width, file.height) == (64, 48))
        #expect(file.isExactly(sample))
    }

    @Test func qualityIsCloseAndSmallerAndKeepsAlpha() throws {
        let sample = Pixmap.sample(isOpaque: false)
        let lossy = WebPEncoder(compression: .quality(75))
        let file = try read(lossy, sample)
        func alpha(_ pixels: [UInt8]) -> [UInt8] { stride(from: 3, to: pixels.count, by: 4).map { pixels[$0] } }
        #expect(alpha(file.pixels) == alpha(sample.straight))
        let opaque = Pixmap.sample()
        #expect(peakSignalToNoise(try read(lossy, opaque).pixels, opaque.straight) > 28)
        let sizes = try [10, 75, 100].map {
            try WebPEncoder(compression: .quality($0)).encode(opaque, scale: 1).count
        }
        #expect(sizes == sizes.sorted() && Set(sizes).count == 3)
    }

    @Test(arguments: [WebPEncoder.Compression.lossless, .quality(75)], [true, false])
    func theSamePixelsGiveTheSameBytes(compression: WebPEncoder.Compression, isOpaque: Bool) throws {
        let encoder = WebPEncoder(compression: compression)
        let padded = Pixmap.sample(isOpaque: isOpaque, padding: [1, 2, 3, 4, 5, 6])
        #expect(try encoder.encode(padded, scale: 1) == encoder.encode(.sample(isOpaque: isOpaque), scale: 2))
    }

    @Test func whatTheFormatCannotHoldIsRefused() throws {
        #expect(WebPEncoder().limit == FormatLimit(format: "WebP", side: 16_383))
        // ImageMagick does not read images this large. A lossless file has its width minus 1 in 14 bits after the
        // signature.
        let widest = [UInt8](try WebPEncoder().encode(flat(width: 16_383, height: 1), scale: 1))
        #expect(UInt16(widest[21]) | UInt16(widest[22]) << 8 == 16_382)
        #expect(throws: EncodingError("16384 × 1 device px is too large for WebP; a side may have at most 16383 px")) {
            try WebPEncoder().encode(flat(width: 16_384, height: 1), scale: 1)
        }
    }
}
