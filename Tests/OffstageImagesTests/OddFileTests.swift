import Foundation
import Offstage
import OffstageImages
import Testing

/// Files that other programs write and read, although something in them is missing or odd.
@Suite struct OddFileTests {
    private func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private let noise = Pixmap.painted(96, 96) { x, y in
        RGBA((x * 7 + y * 3) % 256, (x * x) % 256, (y * y + x) % 256, 255)
    }

    /// The file has all its pixels; only the marker after them is missing.
    @Test func aJPEGFileWithoutItsEnd() async throws {
        let whole = try noise.jpeg()
        let drawing = try await draw(whole.dropLast(2))
        #expect(drawing.pixmaps[0].allBytes == (try await picture(whole)).allBytes)
    }

    @Test func aPNGFileWithAnotherChecksum() async throws {
        let file = try noise.png()
        for (name, isDamage) in [("IDAT", true), ("IHDR", true), ("IEND", false)] {
            var changed = file
            let place = try #require(changed.firstRange(of: Data(name.utf8))).lowerBound
            let count = changed[place - 4..<place].reduce(0) { $0 << 8 | Int($1) }
            changed[place + 4 + count] ^= 0xFF
            let drawing = try await draw(changed)
            #expect(drawing.warnings.map(\.code) == (isDamage ? [.imageDamaged] : []), "\(name)")
            #expect(drawing.pixmaps[0].allBytes == (try await picture(file)).allBytes)
        }
    }

    @Test func anOrientationBehindThePixels() async throws {
        var file = RawPNG(width: 2, height: 1, rows: [[255, 0, 0, 0, 0, 255]])
        // Stored as a long, as some programs do.
        let exif: [UInt8] =
            Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 4, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 0]
        file.laterChunks = [("eXIf", exif)]
        let drawn = try await picture(file.data)
        #expect(drawn[0, 0] == RGBA(0, 0, 255, 255) && drawn[1, 0] == RGBA(255, 0, 0, 255))
    }

    /// A frame of 2 × 1 px, red and blue, at this position.
    private func gif(screen: (Int, Int), place: (Int, Int)) -> Data {
        let head = Array("GIF89a".utf8) + number(screen.0, 2) + number(screen.1, 2)
        let colors: [UInt8] = [0x80, 0, 0, 255, 0, 0, 0, 0, 255]
        let frame = [0x2C] + number(place.0, 2) + number(place.1, 2) + [2, 0, 1, 0, 0]
        // The codes "clear", 0, 1 and "end", with three bits each.
        return Data(head + colors + frame + [2, 2, 0b0100_0100, 0b1010, 0, 0x3B])
    }

    @Test(arguments: [((0, 0), (0, 0), (2, 1)), ((2, 1), (3, 4), (5, 5)), ((4, 3), (1, 1), (4, 3))])
    func aGIFFilesScreen(screen: (Int, Int), place: (Int, Int), size: (Int, Int)) async throws {
        let drawing = try await draw(gif(screen: screen, place: place))
        let drawn = drawing.pixmaps[0]
        #expect(drawing.warnings.isEmpty && drawn.size == PixelSize(width: size.0, height: size.1))
        #expect(drawn[place.0, place.1] == RGBA(255, 0, 0, 255) && drawn[place.0 + 1, place.1] == RGBA(0, 0, 255, 255))
        #expect(await failure(gif(screen: screen, place: place).dropLast(5))?.problemCode == "image-damaged")
    }

    /// - Parameter gap: the number of bytes between the header, or the palette, and the pixels.
    private func bitmap(head: Int, bits: Int, gap: Int) -> Data {
        let palette: [UInt8] = bits == 8 ? [0, 0, 255, 0, 255, 0, 0, 0] : []
        let pixels: [UInt8] = bits == 8 ? [0, 1, 0, 0] : [0, 0, 255, 255, 0, 0, 0, 0]
        let start = 14 + head + palette.count + gap
        var file = Array("BM".utf8) + number(start + pixels.count, 4) + number(0x0005_0003, 4) + number(start, 4)
        file += number(head, 4) + number(2, 4) + number(1, 4) + number(1, 2) + number(bits, 2)
        file += number(0, 4) + number(pixels.count, 4) + number(0, 8) + number(bits == 8 ? 2 : 0, 4)
        file += [UInt8](repeating: 0, count: head - 36)
        return Data(file + palette + [UInt8](repeating: 9, count: gap) + pixels)
    }

    @Test(arguments: [40, 124], [8, 24]) func aBitmapWithAGap(head: Int, bits: Int) async throws {
        for gap in [0, 1, 40, 1000] {
            let drawing = try await draw(bitmap(head: head, bits: bits, gap: gap))
            #expect(drawing.warnings.isEmpty)
            let drawn = drawing.pixmaps[0]
            #expect(drawn[0, 0] == RGBA(255, 0, 0, 255) && drawn[1, 0] == RGBA(0, 0, 255, 255), "\(gap)")
        }
    }

    @Test func aCutAnimation() async throws {
        let frames = try [red, lime].map { color in
            // Without the file's header.
            try WebPEncoder().encode(Pixmap.painted(16, 16) { _, _ in color }, scale: 1).dropFirst(12)
        }
        func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] { Array(name.utf8) + number(bytes.count, 4) + bytes }
        let head = chunk("VP8X", [2, 0, 0, 0] + number(15, 3) + number(15, 3)) + chunk("ANIM", number(0, 6))
        let whole = frames.map { frame in
            chunk("ANMF", number(0, 6) + number(15, 3) + number(15, 3) + number(100, 3) + [0] + Array(frame))
        }
        let content = Array("WEBP".utf8) + head + whole.joined()
        let file = Data(Array("RIFF".utf8) + number(content.count, 4) + content)
        #expect(try await draw(file).warnings.isEmpty)
        #expect(areClose(try await picture(file) { $0.frame = 2 }[5, 5], lime, by: 8))
        let cut = file.dropLast(whole[1].count / 2)
        let drawing = try await draw(cut)
        #expect(drawing.warnings.map(\.code) == [.imageDamaged])
        #expect(areClose(drawing.pixmaps[0][5, 5], red, by: 8))
        #expect(await failure(file.prefix(60))?.problemCode == "image-damaged")
    }
}
