import Foundation
import Offstage
import Testing

/// The file's properties, as another program reads them.
struct PNGEncoderTests {
    private let opaque = Pixmap.of(3, 2, isOpaque: true) { x, y in [UInt8(10 * x), UInt8(20 * y), 200, 255] }

    @Test func anOpaquePictureIsRGBWithItsColoursInPlace() throws {
        let file = try PNGFile(PNGEncoder().encode(opaque, scale: 1))
        #expect(file.colorType == 2)
        #expect((file.width, file.height) == (3, 2))
        #expect(file.pixel(2, 0) == [200, 0, 20, 255])
        #expect(file.pixel(1, 1) == [200, 20, 10, 255])
    }

    @Test func aPictureWithAlphaIsRGBA() throws {
        let picture = Pixmap.of(2, 1, isOpaque: false) { x, _ in x == 0 ? [0, 0, 128, 128] : [0, 0, 0, 0] }
        let file = try PNGFile(PNGEncoder().encode(picture, scale: 1))
        #expect(file.colorType == 6)
        #expect(file.pixel(0, 0) == [255, 0, 0, 128])
        #expect(file.pixel(1, 0) == [0, 0, 0, 0])
    }

    /// The first 8 bytes are compressed separately, so this tests fewer bytes, exactly as many, and a few more.
    @Test(arguments: [1, 2, 3, 5, 6, 100]) func aPictureOfAnySizeKeepsItsPixels(width: Int) throws {
        for height in [1, 2, 300] {
            let color = { (x: Int, y: Int) in [UInt8(truncatingIfNeeded: x * y), UInt8(x), UInt8(y % 256), 255] }
            let file = try PNGFile(PNGEncoder().encode(Pixmap.of(width, height, isOpaque: true, color), scale: 1))
            for (x, y) in [(0, 0), (width / 2, height / 2), (width - 1, height - 1)] {
                let bgra = color(x, y)
                #expect(file.pixel(x, y) == [bgra[2], bgra[1], bgra[0], 255])
            }
        }
    }

    /// 96 CSS px per inch of 0.0254 m: 3779.53 px per metre at scale 1.
    @Test(arguments: [(1.0, 3780), (2, 7559), (3, 11339)])
    func thePhysicalPixelSizeTellsTheScale(scale: Double, pixelsPerMetre: Int) throws {
        let file = try PNGFile(PNGEncoder().encode(opaque, scale: scale))
        let number = [UInt8](withUnsafeBytes(of: UInt32(pixelsPerMetre).bigEndian, Array.init))
        #expect(file.body(of: "pHYs") == number + number + [1])
    }

    @Test func theFileSaysThatItsColoursAreSRGB() throws {
        let file = try PNGFile(PNGEncoder().encode(opaque, scale: 1))
        #expect(file.body(of: "sRGB") == [0])
        let types = file.chunks.map(\.type)
        // The chunk applies to the image data that follows it.
        #expect(try #require(types.firstIndex(of: "sRGB")) < #require(types.firstIndex(of: "IDAT")))
    }

    @Test func theSamePixelsGiveTheSameBytes() throws {
        let first = try PNGEncoder().encode(opaque, scale: 2)
        #expect(try PNGEncoder().encode(opaque, scale: 2) == first)
    }

    @Test(arguments: [true, false])
    func bytesBehindARowAreNoPartOfThePicture(isOpaque: Bool) throws {
        let pixel = { (x: Int, y: Int) -> [UInt8] in [UInt8(x), UInt8(y), UInt8(x + y), 255] }
        let tight = Pixmap.of(5, 4, isOpaque: isOpaque, pixel)
        let padded = Pixmap.of(5, 4, isOpaque: isOpaque, padding: [0xAA, 0xBB, 0xCC, 0xDD, 0xEE, 0xFF], pixel)
        #expect(try PNGEncoder().encode(padded, scale: 1) == PNGEncoder().encode(tight, scale: 1))
    }

    @Test func aPictureOfOnePixelIsAFile() throws {
        let file = try PNGFile(PNGEncoder().encode(.of(1, 1, isOpaque: true) { _, _ in [1, 2, 3, 255] }, scale: 1))
        #expect(file.pixels == [3, 2, 1, 255])
    }

    @Test func theFileNameExtensionIsPng() {
        #expect(PNGEncoder().fileExtension == "png")
    }
}
