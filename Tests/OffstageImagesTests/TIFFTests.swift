import Foundation
import Offstage
import OffstageImages
import Testing

@Suite struct TIFFTests {
    private static func bits(_ value: Float) -> Int { Int(value.bitPattern) }

    private func gray(_ file: RawTIFF) async throws -> [Int] {
        let drawn = try await picture(file.data)
        return (0..<file.width).map { x in
            #expect(drawn[x, 0].x == drawn[x, 0].y && drawn[x, 0].y == drawn[x, 0].z && drawn[x, 0].w == 255)
            return Int(drawn[x, 0].x)
        }
    }

    /// Black, a fifth, four fifths and white, in each number type.
    @Test(arguments: [12, 16, 24, 32], [false, true]) func integers(bits: Int, isInverted: Bool) async throws {
        let most = (1 << bits) - 1
        let file = RawTIFF(width: 4, height: 1, bits: bits, photometric: isInverted ? 0 : 1) { x, _, _ in
            [0, most / 5, most / 5 * 4, most][isInverted ? 3 - x : x]
        }
        #expect(try await gray(file) == [0, 51, 204, 255])
        #expect(try await draw(file.data).contents[0].facts["bits"] == .number(Double(bits)))
    }

    /// If a number type has no white, the values are drawn from the file's smallest to its largest.
    @Test func measuredNumbers() async throws {
        for bits in [16, 24, 32] {
            let signed = RawTIFF(width: 4, height: 1, bits: bits, format: .signed) { x, _, _ in
                [-1000, -600, 600, 1000][x]
            }
            #expect(try await gray(signed) == [0, 51, 204, 255], "\(bits) bits")
        }
        let wide = RawTIFF(width: 4, height: 1, bits: 32, format: .float) { x, _, _ in
            Self.bits([-3, -1, 5, 7][x])
        }
        #expect(try await gray(wide) == [0, 51, 204, 255])
        // Numbers from 0 to 1 are fractions of white.
        let shares = RawTIFF(width: 4, height: 1, bits: 32, format: .float) { x, _, _ in
            Self.bits([0.2, 0.4, 0.6, 0.8][x])
        }
        #expect(try await gray(shares) == [51, 102, 153, 204])
        // Infinities and NaN do not affect the range.
        let odd = RawTIFF(width: 4, height: 1, bits: 32, format: .float) { x, _, _ in
            Self.bits([.nan, -.infinity, 0.6, .infinity][x])
        }
        #expect(try await gray(odd) == [0, 0, 153, 255])
        let equal = RawTIFF(width: 2, height: 1, bits: 32, format: .float) { _, _, _ in Self.bits(40) }
        #expect(try await gray(equal) == [0, 0])
    }

    @Test(arguments: [(8, false), (8, true), (16, false), (16, true)], [false, true])
    func placesOfSamples(kind: (bits: Int, isSeparate: Bool), isTiled: Bool) async throws {
        let file = RawTIFF(
            width: 37, height: 41, count: 3, bits: kind.bits, photometric: 2, isSeparate: kind.isSeparate,
            rowsPerStrip: isTiled ? nil : 7, tile: isTiled ? (16, 32) : nil
        ) { x, y, sample in [x * 6, y * 5, (x * y) % 256][sample] * (kind.bits == 16 ? 257 : 1) }
        let drawing = try await draw(file.data)
        #expect(drawing.warnings.isEmpty)
        for y in 0..<41 {
            for x in 0..<37 {
                let color = RGBA(x * 6, y * 5, (x * y) % 256, 255)
                #expect(drawing.pixmaps[0][x, y] == color, "\(x), \(y)")
            }
        }
    }

    @Test func extraSamples() async throws {
        // A colour, and another sample that is not alpha.
        let selection = RawTIFF(width: 1, height: 1, count: 4, photometric: 2, extra: [0]) { _, _, sample in
            [200, 100, 50, 7][sample]
        }
        #expect(try await picture(selection.data)[0, 0] == RGBA(200, 100, 50, 255))
        for bits in [8, 16] {
            let factor = bits == 16 ? 257 : 1
            let straight = RawTIFF(width: 1, height: 1, count: 2, bits: bits, extra: [2]) { _, _, sample in
                [127, 127][sample] * factor
            }
            // A pixmap is premultiplied.
            #expect(areClose(try await picture(straight.data)[0, 0], RGBA(63, 63, 63, 127), by: 1))
            let premultiplied = RawTIFF(width: 1, height: 1, count: 2, bits: bits, extra: [1]) { _, _, sample in
                [63, 127][sample] * factor
            }
            #expect(areClose(try await picture(premultiplied.data)[0, 0], RGBA(63, 63, 63, 127), by: 1))
        }
    }

    @Test func inkAndLab() async throws {
        let ink = RawTIFF(width: 2, height: 1, count: 4, photometric: 5) { x, _, sample in
            [[0, 255, 255, 0], [0, 0, 0, 255]][x][sample]
        }
        let drawn = try await picture(ink.data)
        #expect(areClose(drawn[0, 0], RGBA(255, 0, 0, 255), by: 1))
        #expect(areClose(drawn[1, 0], RGBA(0, 0, 0, 255), by: 1))
        // Perceptually half as light as white; then sRGB's red.
        for bits in [8, 16] {
            let factor = bits == 16 ? 256 : 1
            let lab = RawTIFF(width: 2, height: 1, count: 3, bits: bits, photometric: 8) { x, _, sample in
                let light = [50.0, 54.3][x] / 100 * (bits == 16 ? 65535 : 255)
                return [Int(light.rounded()), [0, 81][x] * factor, [0, 70][x] * factor][sample]
            }
            let colors = try await picture(lab.data)
            #expect(areClose(colors[0, 0], RGBA(119, 119, 119, 255), by: 2))
            #expect(areClose(colors[1, 0], RGBA(255, 0, 0, 255), by: 8), "\(colors[1, 0])")
        }
    }

    /// A missing part is black, and the rest is drawn.
    @Test(arguments: [8, 16]) func damage(bits: Int) async throws {
        let file = RawTIFF(width: 20, height: 40, count: 3, bits: bits, photometric: 2, rowsPerStrip: 10, lost: [1]) {
            _, _, _ in bits == 16 ? 0xFFFF : 0xFF
        }
        let drawing = try await draw(file.data)
        #expect(drawing.warnings.map(\.code) == [.imageDamaged])
        for (y, level) in [(0, 255), (9, 255), (10, 0), (19, 0), (20, 255), (39, 255)] {
            let color = RGBA(level, level, level, 255)
            #expect(drawing.pixmaps[0][3, y] == color, "\(y)")
        }
        var end = file
        end.lost = [2, 3]
        let cut = try await draw(end.data)
        #expect(cut.warnings.map(\.code) == [.imageDamaged])
        #expect(cut.pixmaps[0][3, 19].w == 255 && cut.pixmaps[0][3, 20].w == 0)
        end.lost = [0, 1, 2, 3]
        #expect(await failure(end.data)?.problemCode == "image-damaged")
        // A tile without bytes contains zeros and is not damaged.
        var tiles = file
        (tiles.rowsPerStrip, tiles.lost, tiles.tile, tiles.empty) = (nil, [], (16, 16), [1])
        let sparse = try await draw(tiles.data)
        #expect(sparse.warnings.isEmpty)
        #expect(sparse.pixmaps[0][15, 0] == RGBA(255, 255, 255, 255) && sparse.pixmaps[0][16, 0] == RGBA(0, 0, 0, 255))
    }
}
