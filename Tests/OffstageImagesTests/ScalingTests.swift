import Foundation
import Offstage
import OffstageImages
import Testing

@Suite struct ScalingTests {
    /// The box, the fit, and the size of the picture of a 200 × 100 image.
    @Test(
        arguments: [
            (100, nil, .inside, 100, 50), (nil, 25, .inside, 50, 25), (400, nil, .inside, 200, 100),
            (50, 50, .inside, 50, 25),
            (400, 400, .inside, 200, 100), (nil, nil, .inside, 200, 100), (50, 50, .contain, 50, 50),
            (50, 50, .cover, 50, 50),
            (50, 50, .fill, 50, 50), (400, nil, .cover, 400, 200), (1, 1, .inside, 1, 1),
        ] as [(Int?, Int?, ImageGeometry.Fit, Int, Int)])
    func theBoxAndTheFitDecideTheSize(
        box: (width: Int?, height: Int?, fit: ImageGeometry.Fit, expectedWidth: Int, expectedHeight: Int)
    ) async throws {
        let drawn = try await picture(quarters(200, 100).png()) {
            $0.geometry.width = box.width
            $0.geometry.height = box.height
            $0.geometry.fit = box.fit
        }
        #expect(drawn.size == PixelSize(width: box.expectedWidth, height: box.expectedHeight))
    }

    @Test func theScaleMultipliesTheBox() async throws {
        let drawn = try await picture(quarters(200, 100).png()) {
            $0.geometry.width = 40
            $0.geometry.scale = 2
        }
        #expect(drawn.size == PixelSize(width: 80, height: 40))
    }

    @Test func containedAndCoveredImagesAreInTheirPlaces() async throws {
        let data = try quarters(200, 100).png()
        let contained = try await picture(data) {
            ($0.geometry.width, $0.geometry.height, $0.geometry.fit) = (60, 60, .contain)
        }
        #expect(contained[30, 5] == clear)
        #expect(contained[5, 20] == red)
        #expect(contained[55, 40] == white)
        let above = try await picture(data) {
            ($0.geometry.width, $0.geometry.height, $0.geometry.fit, $0.geometry.gravity) = (60, 60, .contain, .north)
            $0.background = .white
        }
        #expect(above[5, 5] == red)
        #expect(above[30, 50] == white)
        #expect(above.isOpaque)
        for (gravity, left, right) in [
            (ImageGeometry.Gravity.west, red, red), (.center, red, lime), (.east, lime, lime),
        ] {
            let covered = try await picture(data) {
                ($0.geometry.width, $0.geometry.height, $0.geometry.fit) = (40, 40, .cover)
                $0.geometry.gravity = gravity
            }
            #expect(areClose(covered[2, 5], left), "\(gravity)")
            #expect(areClose(covered[37, 5], right), "\(gravity)")
        }
    }

    @Test func aCropShowsItsPart() async throws {
        let data = try quarters(200, 100).png()
        let part = try await picture(data) { $0.geometry.crop = .init(x: 110, y: 60, width: 50, height: 30) }
        #expect(part.size == PixelSize(width: 50, height: 30))
        #expect(part.allBytes.allSatisfy { $0 == 255 })
        // A crop ends where the image ends.
        let corner = try await picture(data) { $0.geometry.crop = .init(x: 190, y: 90, width: 500, height: 500) }
        #expect(corner.size == PixelSize(width: 10, height: 10))
        #expect(
            await failure(data) { $0.geometry.crop = .init(x: 200, y: 0, width: 5, height: 5) }?.problemCode
                == "crop-outside")
        #expect(await failure(data) { $0.geometry.crop = .init(x: 0, y: 0, width: 0, height: 5) } != nil)
    }

    @Test func lightIsAveraged() async throws {
        // Alternating black and white pixels have half of white's light: 188 in sRGB, not 128.
        let data = try Pixmap.painted(256, 256) { x, y in (x + y) % 2 == 0 ? black : white }.png()
        let drawn = try await picture(data) { $0.geometry.width = 16 }
        #expect(areClose(drawn[8, 8], RGBA(188, 188, 188, 255), by: 1))
    }

    /// Dark lines on light grey, light lines on dark grey: a kernel with negative lobes would draw lighter and darker
    /// lines beside them.
    @Test(arguments: [(60, 200), (200, 60)])
    func edgesHaveNoHalos(line: Int, paper: Int) async throws {
        let (line, paper) = (RGBA(line, line, line, 255), RGBA(paper, paper, paper, 255))
        let data = try Pixmap.painted(300, 100) { x, _ in x % 50 < 6 ? line : paper }.png()
        for width in [130, 70, 299, 31] {
            let drawn = try await picture(data) {
                ($0.geometry.width, $0.geometry.height, $0.geometry.fit) = (width, 30, .fill)
            }
            let values = (0..<width).map { drawn[$0, 15].x }
            #expect(values.min()! >= min(line.x, paper.x) - 1, "width \(width)")
            #expect(values.max()! <= max(line.x, paper.x) + 1, "width \(width)")
        }
    }

    @Test func transparentPixelsHaveNoColor() async throws {
        // Transparent red beside lime.
        let rows = (0..<64).map { _ in (0..<64).flatMap { x -> [UInt8] in x < 32 ? [255, 0, 0, 0] : [0, 255, 0, 255] } }
        let data = RawPNG(width: 64, height: 64, colorType: 6, rows: rows).data
        let drawn = try await picture(data) { $0.geometry.width = 9 }
        for x in 0..<9 {
            let pixel = drawn[x, 4]
            #expect(pixel.x == 0 && pixel.z == 0)
            #expect(areClose(RGBA(pixel.y, 0, 0, 0), RGBA(pixel.w, 0, 0, 0), by: 1))
        }
    }

    @Test func largeJPEGFilesAreReducedWhileTheyAreDecoded() async throws {
        // Each eighth of the width has a different grey, so that a wrong part or size is noticed.
        let data = try Pixmap.painted(1600, 800) { x, _ in
            let grey = 20 + x / 200 * 30
            return RGBA(grey, grey, grey, 255)
        }.jpeg()
        let drawn = try await picture(data) { $0.geometry.width = 80 }
        #expect(drawn.size == PixelSize(width: 80, height: 40))
        for part in 0..<8 {
            let grey = 20 + part * 30
            #expect(areClose(drawn[part * 10 + 5, 20], RGBA(grey, grey, grey, 255), by: 2))
        }
    }

    /// An eighth of 801 px is 100.125: the decoder returns 101 px, and the image covers only an eighth of the last
    /// one.
    @Test func aReducedJPEGFileIsNotShifted() async throws {
        let data = try Pixmap.painted(801, 96) { x, _ in x < 720 ? black : white }.jpeg()
        let drawn = try await picture(data) { $0.geometry.width = 50 }
        let light = (0..<50).map { pow(Double(drawn[$0, 3].x) / 255, 2.2) }.reduce(0, +)
        #expect(abs(light - 81 / 16.02) < 0.15, "white begins at \(50 - light) px")
    }
}
