import Foundation
import Offstage
import OffstageImages
import SeededRandom
import Testing

@Suite struct DecodingTests {
    @Test func everyPixelOfAPNGFileStaysAsItIs() async throws {
        let source = Pixmap.painted(61, 47) { x, y in RGBA(x * 4, y * 5, (x * y) % 256, 255) }
        let drawn = try await picture(source.png())
        #expect(drawn.isOpaque)
        #expect(drawn.allBytes == source.allBytes)
    }

    @Test func transparencyStays() async throws {
        let source = Pixmap.painted(32, 32) { x, y in RGBA(255, 128, 0, x * 8) }
        let drawn = try await picture(source.png())
        #expect(!drawn.isOpaque)
        for x in 0..<32 { #expect(areClose(drawn[x, 3], source[x, 3], by: 1)) }
    }

    /// The upper left corner of the upright picture, then the other corners in the order of `quarters`.
    @Test(arguments: [
        (1, [red, lime, blue, white]), (2, [lime, red, white, blue]), (3, [white, blue, lime, red]),
        (4, [blue, white, red, lime]), (5, [red, blue, lime, white]), (6, [blue, red, white, lime]),
        (7, [white, lime, blue, red]), (8, [lime, white, red, blue]),
    ])
    func aPhotoIsUpright(orientation: Int, corners: [RGBA]) async throws {
        let data = try quarters(64, 32).jpeg(orientation: orientation)
        let drawing = try await draw(data)
        let drawn = drawing.pixmaps[0]
        let isTurned = orientation >= 5
        #expect(drawn.size == (isTurned ? PixelSize(width: 32, height: 64) : PixelSize(width: 64, height: 32)))
        let (right, bottom) = (drawn.size.width - 4, drawn.size.height - 4)
        for (corner, place) in zip(corners, [(3, 3), (right, 3), (3, bottom), (right, bottom)]) {
            #expect(areClose(drawn[place.0, place.1], corner, by: 6), "orientation \(orientation)")
        }
        #expect(drawing.contents[0].facts["orientation"] == .number(Double(orientation)))

        // A part of the upright picture is the same, whatever the file's orientation.
        let part = try await picture(data) {
            $0.geometry.crop = .init(x: 0, y: 0, width: drawn.size.width / 2 - 4, height: drawn.size.height / 2 - 4)
        }
        #expect(
            areClose(part[part.size.width - 1, part.size.height - 1], corners[0], by: 6), "orientation \(orientation)")
    }

    /// A Display P3 colour that sRGB also has, once with another curve.
    @Test(arguments: [(45_455, RGBA(108, 161, 80, 255)), (100_000, RGBA(176, 208, 155, 255))])
    func primariesWithoutAProfileAreRead(gamma: Int, color: RGBA) async throws {
        let displayP3 = [31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6_000]
        let file = RawPNG(
            width: 1, height: 1, rows: [[120, 160, 90]],
            chunks: [("gAMA", RawPNG.number(gamma)), ("cHRM", displayP3.flatMap(RawPNG.number))])
        #expect(areClose(try await picture(file.data)[0, 0], color, by: 1))
        // Both chunks are ignored if the file also has an sRGB chunk, which replaces them.
        var plain = file
        plain.chunks.append(("sRGB", [0]))
        #expect(areClose(try await picture(plain.data)[0, 0], RGBA(120, 160, 90, 255), by: 0))
        // Primaries that define no colours.
        plain.chunks = [
            ("cHRM", [0, 0, 0, 0, 6, 0x40].flatMap { RawPNG.number($0) } + RawPNG.number(0) + RawPNG.number(0))
        ]
        #expect(areClose(try await picture(plain.data)[0, 0], RGBA(120, 160, 90, 255), by: 0))
    }

    @Test(arguments: 0...4, [2, 6]) func everyFilterOfAPNGFileIsUndone(filter: Int, colorType: Int) async throws {
        var random = SeededGenerator(seed: 7)
        let channels = colorType == 6 ? 4 : 3
        var file = RawPNG(width: 301, height: 400, colorType: colorType, filter: UInt8(filter))
        file.rows = (0..<400).map { _ in
            (0..<301 * channels).map { $0 % 4 == 3 && channels == 4 ? 255 : .random(in: 0...255, using: &random) }
        }
        let drawn = try await picture(file.data)
        for (y, row) in file.rows.enumerated() {
            var wanted: [UInt8] = []
            for x in 0..<301 { wanted += [row[x * channels + 2], row[x * channels + 1], row[x * channels], 255] }
            #expect(drawn.withRow(y) { Array($0) } == wanted, "row \(y)")
        }
    }

    @Test func aFilterThatDoesNotExistEndsTheFile() async throws {
        var file = RawPNG(width: 8, height: 8, filter: 5)
        file.rows = [[UInt8]](repeating: [UInt8](repeating: 9, count: 24), count: 8)
        #expect(await failure(file.data)?.problemCode == "image-damaged")
    }

    @Test func sixteenBitsAndGammaAreRead() async throws {
        // 16 bits, grey: half of the light with a linear gamma is 188 in sRGB.
        let linear = RawPNG(
            width: 1, height: 1, bits: 16, colorType: 0, rows: [[0x80, 0x00]],
            chunks: [("gAMA", RawPNG.number(100_000))])
        #expect(areClose(try await picture(linear.data)[0, 0], RGBA(188, 188, 188, 255), by: 1))
        let plain = RawPNG(width: 1, height: 1, bits: 16, colorType: 0, rows: [[0x80, 0x00]])
        #expect(areClose(try await picture(plain.data)[0, 0], RGBA(128, 128, 128, 255), by: 1))
    }

    @Test func theContentDecidesTheKind() {
        let kinds: [(ImageKind?, [UInt8])] = [
            (.jpeg, [0xFF, 0xD8, 0xFF, 0xE0]), (.gif, Array("GIF89a".utf8)),
            (.webp, Array("RIFF\0\0\0\0WEBPVP8 ".utf8)),
            (.tiff, [0x4D, 0x4D, 0, 0x2A]), (.avif, Array("\0\0\0\u{1C}ftypavif\0\0\0\0mif1".utf8)),
            (.heic, Array("\0\0\0\u{18}ftypheic\0\0\0\0mif1".utf8)), (.jpegXL, [0xFF, 0x0A]),
            (.jpeg2000, [0xFF, 0x4F, 0xFF, 0x51]), (nil, Array("<svg>".utf8)), (nil, []), (nil, Array("%PDF-1.4".utf8)),
            (nil, Array("\0\0\0\u{18}ftypisom\0\0\0\0mp41".utf8)),
        ]
        for (kind, bytes) in kinds { #expect(ImageKind(of: Data(bytes)) == kind) }
        // A slice of other data, whose indices do not start at 0.
        #expect(ImageKind(of: Data([0, 0xFF, 0xD8, 0xFF]).dropFirst()) == .jpeg)
    }

    /// The largest picture of an icon is often a PNG file.
    @Test func anIconOfPNGFiles() async throws {
        let (small, large) = (try quarters(16, 16).png(), quarters(64, 64))
        let files = [small, try large.png()]
        var icon = Data([0, 0, 1, 0, UInt8(files.count), 0])
        var place = icon.count + 16 * files.count
        for (file, side) in zip(files, [16, 64]) {
            icon += [UInt8(side), UInt8(side), 0, 0, 1, 0, 32, 0]
            for number in [file.count, place] { icon += (0..<4).map { UInt8(number >> (8 * $0) & 255) } }
            place += file.count
        }
        icon += files.joined()
        #expect(ImageKind(of: icon) == .ico)
        #expect(try await picture(icon).allBytes == large.allBytes)
        #expect(await failure(icon.prefix(60))?.problemCode == "image-damaged")
        let cut = try await draw(icon.dropLast(files[1].count / 2))
        #expect(cut.pixmaps[0].size == large.size && cut.warnings.map(\.code) == [.imageDamaged])
    }

    @Test func factsDescribeTheFile() async throws {
        let data = try Pixmap.painted(80, 40) { x, _ in x < 60 ? red : lime }.png()
        let facts = try await draw(data) { $0.geometry.width = 20 }.contents[0].facts
        #expect(facts["kind"] == .text("PNG"))
        #expect(facts["width"] == .number(80))
        #expect(facts["height"] == .number(40))
        #expect(facts["frames"] == .number(1))
        #expect(facts["dominantColor"] == .text("#ff0000"))
        #expect(
            try await engine.facts(about: ImageFile(identifier: "a", data: data)).size
                == PixelSize(width: 80, height: 40))
    }

    @Test func anyNumberOfWorkersDrawsTheSameBytes() async throws {
        let data = try quarters(200, 120).jpeg()
        let alone = try await picture(data) { $0.geometry.width = 77 }.allBytes
        let all = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<8 { group.addTask { try await picture(data) { $0.geometry.width = 77 }.allBytes } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(all.allSatisfy { $0 == alone })
    }
}
