import Foundation
import Offstage
import Testing

/// Pictures made to fit into a box.
struct ThumbnailTests {
    @Test(arguments: [
        // width, height, box, expected
        ([400, 100], [120, 120], [120, 30]), ([100, 400], [120, 120], [30, 120]),
        ([400, 106], [120, 120], [120, 32]),
        ([100, 50], [120, 120], [100, 50]), ([120, 120], [120, 120], [120, 120]),
        ([121, 120], [120, 120], [120, 119]),
        ([4000, 3], [120, 120], [120, 1]), ([3, 4000], [120, 120], [1, 120]), ([400, 300], [100, 50], [67, 50]),
        ([400, 300], [50, 100], [50, 38]), ([7, 5], [1, 1], [1, 1]),
    ])
    func size(picture: [Int], box: [Int], expected: [Int]) {
        let size = PixelSize(width: picture[0], height: picture[1])
        let fitted = size.fitted(into: PixelSize(width: box[0], height: box[1]))
        #expect([fitted.width, fitted.height] == expected)
        #expect(
            flat(width: size.width, height: size.height).fitted(into: PixelSize(width: box[0], height: box[1])).size
                == fitted)
    }

    @Test func aPictureThatFitsIsItself() {
        let picture = Pixmap.sample()
        #expect(picture.fitted(into: PixelSize(width: 64, height: 48)) === picture)
    }

    /// An exact factor: each pixel is the mean of four, and a half is rounded up.
    @Test func halfTheSizeIsTheMeanOfFour() {
        let picture = Pixmap.of(4, 2, isOpaque: true) { x, y in
            [UInt8(10 * x), UInt8(100 * y), UInt8(7 * x + 2 * y), 255]
        }
        let half = picture.fitted(into: PixelSize(width: 2, height: 1))
        half.withRow(0) { #expect(Array($0) == [5, 50, 5, 255, 25, 50, 19, 255]) }
    }

    /// Three columns become two; the middle one is divided between them.
    @Test func aPixelOnTheBorderIsShared() {
        let picture = Pixmap.of(3, 3, isOpaque: true) { x, _ in
            [[0, 0, 0, 255], [90, 90, 90, 255], [240, 0, 30, 255]][x]
        }
        let small = picture.fitted(into: PixelSize(width: 2, height: 2))
        for y in 0..<2 { small.withRow(y) { #expect(Array($0) == [30, 30, 30, 255, 190, 30, 50, 255]) } }
    }

    @Test(arguments: [[120, 120], [31, 31], [63, 48], [64, 47], [1, 1]])
    func theAverageColourStays(box: [Int]) {
        for isOpaque in [true, false] {
            let picture = Pixmap.sample(200, 150, isOpaque: isOpaque)
            let small = picture.fitted(into: PixelSize(width: box[0], height: box[1]))
            for (one, other) in zip(mean(of: picture), mean(of: small)) { #expect(abs(one - other) < 0.6) }
            #expect(small.isOpaque == isOpaque)
        }
    }

    private func mean(of pixmap: Pixmap) -> [Double] {
        var sums = [0.0, 0, 0, 0]
        for y in 0..<pixmap.size.height {
            pixmap.withRow(y) { row in for i in row.indices { sums[i % 4] += Double(row[i]) } }
        }
        return sums.map { $0 / Double(pixmap.size.width * pixmap.size.height) }
    }

    /// A red disc on a transparent background stays equally red at its edge; averaging straight colours would mix in
    /// black.
    @Test func edgesAreNotDarkened() throws {
        let disc = Pixmap.of(100, 100, isOpaque: false) { x, y in
            (x - 50) * (x - 50) + (y - 50) * (y - 50) < 1600 ? [0, 0, 255, 255] : [0, 0, 0, 0]
        }
        let file = try PNGFile(PNGEncoder().encode(disc.fitted(into: PixelSize(width: 17, height: 17)), scale: 1))
        var edges = 0
        for i in stride(from: 0, to: file.pixels.count, by: 4) where file.pixels[i + 3] > 0 {
            #expect(Array(file.pixels[i..<i + 3]) == [255, 0, 0])
            if file.pixels[i + 3] < 255 { edges += 1 }
        }
        #expect(edges > 20)
        #expect(file.pixel(0, 0) == [0, 0, 0, 0])
        #expect(file.pixel(8, 8) == [255, 0, 0, 255])
    }

    @Test func aVariantIsTheThumbnailInItsFormat() async throws {
        let image = try await Renderer(engine: FakeEngine()).picture(for: FakeRequest(identifier: "a", width: 300))
        let variant = FileVariant(.webp(), fittingInto: PixelSize(width: 100, height: 100))
        let file = try image.encoded(as: variant)
        #expect(file.size == PixelSize(width: 100, height: 1))
        let read = try OtherProgram(file.data, as: "webp")
        #expect((read.width, read.height) == (100, 1))
        // A drawing is never refused because of its thumbnail.
        #expect(variant.limit == nil)
        #expect(FileVariant(.webp()).limit?.side == 16_383)
        #expect(try image.encoded(as: FileVariant(.png())).data == image.encoded())
    }
}
