import Foundation
import Offstage
import Testing

/// The file's properties, as another program reads them.
struct JPEGEncoderTests {
    private let sample = Pixmap.sample()

    private func read(_ encoder: JPEGEncoder, _ pixmap: Pixmap, scale: Double = 1) throws -> OtherProgram {
        try OtherProgram(encoder.encode(pixmap, scale: scale), as: encoder.fileExtension)
    }

    @Test func thePictureIsThere() throws {
        let file = try read(JPEGEncoder(), sample)
        #expect((file.width, file.height) == (64, 48))
        #expect(file.properties["Quality"] == "85")
        #expect(peakSignalToNoise(file.pixels, sample.straight) > 34)
    }

    @Test func coloursAreInTheirPlaces() throws {
        let red = Pixmap.of(16, 16, isOpaque: true) { _, _ in [10, 40, 220, 255] }
        let pixel = try read(JPEGEncoder(quality: 100), red).pixel(8, 8)
        #expect(zip(pixel, [220, 40, 10, 255]).allSatisfy { abs(Int($0) - $1) <= 2 }, "\(pixel)")
    }

    @Test func moreQualityIsMoreBytesAndCloser() throws {
        let sizes = try [1, 40, 85, 100].map { try JPEGEncoder(quality: $0).encode(sample, scale: 1).count }
        #expect(sizes == sizes.sorted() && Set(sizes).count == 4)
        let noise = try [1, 40, 85, 100].map {
            peakSignalToNoise(try read(JPEGEncoder(quality: $0), sample).pixels, sample.straight)
        }
        #expect(noise == noise.sorted())
        #expect(noise[3] > 40)
    }

    @Test(arguments: zip(JPEGEncoder.Subsampling.allCases, ["1x1", "2x1", "2x2"]))
    func subsampling(subsampling: JPEGEncoder.Subsampling, luma: String) throws {
        let file = try read(JPEGEncoder(subsampling: subsampling), sample)
        #expect(file.properties["jpeg:sampling-factor"] == "\(luma),1x1,1x1")
    }

    @Test(arguments: [(1.0, "96x96"), (2, "192x192"), (1.5, "144x144")])
    func densityTellsTheScale(scale: Double, resolution: String) throws {
        let file = try read(JPEGEncoder(), sample, scale: scale)
        #expect(file.properties["Resolution"] == resolution)
        #expect(file.properties["Units"] == "PixelsPerInch")
    }

    /// JPEG has no alpha: a transparent pixel becomes the background, a half-transparent one a mix of both.
    @Test func theBackgroundIsBehindTransparentPixels() throws {
        let picture = Pixmap.of(48, 16, isOpaque: false) { x, _ in
            x < 16 ? [0, 0, 0, 0] : x < 32 ? [0, 0, 128, 128] : [0, 0, 255, 255]
        }
        func colors(_ encoder: JPEGEncoder) throws -> [[UInt8]] {
            let file = try read(encoder, picture)
            return [8, 24, 40].map { file.pixel($0, 8) }
        }
        func expect(_ found: [[UInt8]], _ expected: [[Int]]) {
            for (one, other) in zip(found.joined(), expected.joined()) {
                #expect(abs(Int(one) - other) <= 2, "\(found), not \(expected)")
            }
        }
        expect(
            try colors(JPEGEncoder(quality: 100)), [[255, 255, 255, 255], [255, 127, 127, 255], [255, 0, 0, 255]])
        let blue = Color(red: 0, green: 0, blue: 1)
        expect(
            try colors(JPEGEncoder(quality: 100, background: blue)),
            [[0, 0, 255, 255], [128, 0, 127, 255], [255, 0, 0, 255]])
    }

    @Test func theSamePixelsGiveTheSameBytes() throws {
        for isOpaque in [true, false] {
            let first = try JPEGEncoder().encode(.sample(isOpaque: isOpaque), scale: 1)
            let padded = Pixmap.sample(isOpaque: isOpaque, padding: [1, 2, 3, 4, 5, 6])
            #expect(try JPEGEncoder().encode(padded, scale: 1) == first)
        }
    }

    /// Beyond 16 KiB, the buffer that libjpeg writes into has to grow.
    @Test func aLargeFileIsWhole() throws {
        let noise = Pixmap.of(300, 300, isOpaque: true) { x, y in
            let hash = UInt32(x &* 31 &+ y) &* 2_654_435_769
            return [UInt8(hash >> 24), UInt8(hash >> 16 & 255), UInt8(hash >> 8 & 255), 255]
        }
        let data = try JPEGEncoder(quality: 100).encode(noise, scale: 1)
        #expect(data.count > 100_000)
        #expect(data.suffix(2) == Data([0xFF, 0xD9]))
        #expect(peakSignalToNoise(try OtherProgram(data, as: "jpg").pixels, noise.straight) > 35)
    }

    @Test func whatTheFormatCannotHoldIsRefused() throws {
        let limit = try #require(JPEGEncoder().limit)
        #expect(limit == FormatLimit(format: "JPEG", side: 65_500))
        // ImageMagick does not read images this tall. The frame header has a marker, a length, 8 bits, a height and a
        // width.
        let tallest = try JPEGEncoder().encode(flat(width: 1, height: 65_500), scale: 1)
        #expect(tallest.range(of: Data([0xFF, 0xC0, 0, 17, 8, 0xFF, 0xDC, 0, 1])) != nil)
        #expect(throws: EncodingError("1 × 65501 device px is too large for JPEG; a side may have at most 65500 px")) {
            try JPEGEncoder().encode(flat(width: 1, height: 65_501), scale: 1)
        }
    }
}

/// A white picture.
func flat(width: Int, height: Int) -> Pixmap {
    .filled(size: PixelSize(width: width, height: height), isOpaque: true) {
        $0.initializeMemory(as: UInt8.self, repeating: 255)
    }
}
