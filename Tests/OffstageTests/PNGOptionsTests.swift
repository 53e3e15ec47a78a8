import Foundation
import Offstage
import Testing

/// Levels and palettes, as another program reads them.
struct PNGOptionsTests {
    @Test func levelsChangeTheSizeAndNoPixel() throws {
        let sample = Pixmap.sample(200, 100)
        let files = try [0, 1, 9].map { try PNGEncoder(level: $0).encode(sample, scale: 1) }
        #expect(files[0].count > files[1].count && files[1].count > files[2].count)
        for file in files { #expect(try OtherProgram(file, as: "png").isExactly(sample)) }
        #expect(try PNGEncoder().encode(sample, scale: 1) == files[1], "1 is the default")
    }

    /// Several rows are compressed together, and the output is written in pieces of 64 KB. The sizes are a row of
    /// exactly that length, a longer one, pictures of several pieces, and one that compresses to almost nothing.
    @Test(arguments: [(21_845, 3, true), (30_000, 2, true), (16_384, 2, false), (300, 400, true), (300, 400, false)])
    func theQuickestHasTheSamePixels(width: Int, height: Int, isNoise: Bool) throws {
        var number: UInt32 = 1
        let picture = Pixmap.of(width, height, isOpaque: !(width == 300 && isNoise)) { _, _ in
            if !isNoise { return [40, 80, 120, 255] }
            number = number &* 1_664_525 &+ 1_013_904_223
            return [UInt8(number >> 24), UInt8(number >> 16 & 255), UInt8(number >> 8 & 255), 255]
        }
        let quick = try PNGFile(PNGEncoder().encode(picture, scale: 1))
        let small = try PNGFile(PNGEncoder(level: 9).encode(picture, scale: 1))
        #expect(quick.pixels == small.pixels)
        #expect((quick.width, quick.height, quick.colorType) == (small.width, small.height, small.colorType))
        #expect((quick.chunks.count { $0.type == "IDAT" } > 1) == isNoise)
    }

    /// The largest number of colours that a palette can have, and one more.
    @Test(arguments: [(1, 3), (2, 3), (256, 3), (257, 2)])
    func opaquePalette(colors: Int, colorType: UInt8) throws {
        let picture = Pixmap.of(257, 3, isOpaque: true) { x, y in
            let color = (x + 100 * y) % colors
            return [UInt8(color % 256), UInt8(color / 256), 7, 255]
        }
        let data = try PNGEncoder(usesPalette: true).encode(picture, scale: 1)
        let file = try PNGFile(data)
        #expect(file.colorType == colorType)
        #expect(file.body(of: "PLTE")?.count == (colors > 256 ? nil : 3 * colors))
        #expect(file.body(of: "tRNS") == nil)
        #expect(file.body(of: "sRGB") == [0])
        #expect(try OtherProgram(data, as: "png").isExactly(picture))
        // With too many colours, the file is the same as without the option.
        if colors > 256 { #expect(try data == PNGEncoder().encode(picture, scale: 1)) }
    }

    @Test func paletteWithAlpha() throws {
        // Opaque colours are first in the picture; colours with alpha are first in the palette.
        let picture = Pixmap.of(40, 4, isOpaque: false) { x, _ in
            let alpha = x < 10 ? 255 : x < 20 ? 0 : 6 * x
            return [UInt8(alpha / 2), UInt8(alpha / 3), UInt8(alpha), UInt8(alpha)]
        }
        let data = try PNGEncoder(usesPalette: true).encode(picture, scale: 1)
        let file = try PNGFile(data)
        #expect(file.colorType == 3)
        #expect(file.body(of: "PLTE")?.count == 3 * 22)
        #expect(file.body(of: "tRNS")?.count == 21, "the opaque colour needs none")
        #expect(try OtherProgram(data, as: "png").isExactly(picture))
    }

    @Test func aPaletteSaves() throws {
        let few = Pixmap.of(300, 100, isOpaque: true) { x, y in [UInt8(x * y % 7 * 30), 90, UInt8(x % 5 * 50), 255] }
        let plain = try PNGEncoder().encode(few, scale: 1)
        #expect(try PNGEncoder(usesPalette: true).encode(few, scale: 1).count < plain.count)
    }

    @Test func theSamePixelsGiveTheSameBytes() throws {
        let few = { (padding: [UInt8]) in
            Pixmap.of(30, 9, isOpaque: true, padding: padding) { x, y in [UInt8(x), UInt8(y % 3), 5, 255] }
        }
        let encoder = PNGEncoder(level: 9, usesPalette: true)
        #expect(try encoder.encode(few([]), scale: 1) == encoder.encode(few([8, 7, 6, 5, 4]), scale: 1))
    }
}
