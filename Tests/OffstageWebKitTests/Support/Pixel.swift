import Offstage
import XCTest

/// A pixel's straight colour.
struct Pixel: Hashable, CustomStringConvertible {
    var red: UInt8
    var green: UInt8
    var blue: UInt8
    var alpha: UInt8

    init(_ red: UInt8, _ green: UInt8, _ blue: UInt8, _ alpha: UInt8 = 255) {
        (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    }

    static let white = Pixel(255, 255, 255)
    static let red = Pixel(255, 0, 0)
    static let green = Pixel(0, 128, 0)
    static let blue = Pixel(0, 0, 255)
    static let clear = Pixel(0, 0, 0, 0)

    var description: String { "(\(red) \(green) \(blue) \(alpha))" }

    /// The colour in CSS: `rgba(255, 0, 0, 1)`.
    var css: String { "rgba(\(red),\(green),\(blue),\(Double(alpha) / 255))" }
}

extension RenderedPicture {
    /// The pixel at this position, in device px from the top left corner.
    func pixel(_ x: Int, _ y: Int) -> Pixel { pixmap.pixel(x, y) }

    /// The straight RGBA of all pixels, row by row.
    var pixels: [Pixel] {
        (0..<size.height).flatMap { y in (0..<size.width).map { pixmap.pixel($0, y) } }
    }

    /// The number of pixels with this colour.
    func count(of color: Pixel) -> Int { pixels.count { $0 == color } }
}

extension Pixmap {
    func pixel(_ x: Int, _ y: Int) -> Pixel {
        withRow(y) { row in
            let pixel = row[4 * x..<4 * x + 4].map { Int($0) }
            let alpha = pixel[3]
            if alpha == 0 { return Pixel.clear }
            func straight(_ value: Int) -> UInt8 { UInt8(min(255, (value * 255 + alpha / 2) / alpha)) }
            return Pixel(straight(pixel[2]), straight(pixel[1]), straight(pixel[0]), UInt8(alpha))
        }
    }
}

/// Fails unless both pictures have the same pixels.
func assertSamePixels(
    _ image: RenderedPicture, _ other: RenderedPicture, _ message: String = "", file: StaticString = #filePath,
    line: UInt = #line
) {
    XCTAssertEqual(image.size, other.size, message, file: file, line: line)
    guard image.size == other.size else { return }
    let pairs = zip(image.pixels, other.pixels)
    let different = pairs.count { $0 != $1 }
    XCTAssertEqual(different, 0, "pixels differ; \(message)", file: file, line: line)
}
