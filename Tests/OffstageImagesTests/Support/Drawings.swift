import Foundation
import Offstage
import OffstageImages
import Testing

/// One engine for all tests, so its workers start only once.
let engine = ImageEngine(workers: 2)

/// Straight red, green, blue and alpha.
typealias RGBA = SIMD4<Int>

let (red, lime, blue, white) = (
    RGBA(255, 0, 0, 255), RGBA(0, 255, 0, 255), RGBA(0, 0, 255, 255), RGBA(255, 255, 255, 255)
)
let (black, clear) = (RGBA(0, 0, 0, 255), RGBA(0, 0, 0, 0))

extension Pixmap {
    /// Makes a picture from each pixel's colour.
    static func painted(_ width: Int, _ height: Int, _ color: (_ x: Int, _ y: Int) -> RGBA) -> Pixmap {
        let isOpaque = (0..<width * height).allSatisfy { color($0 % width, $0 / width).w == 255 }
        return filled(size: PixelSize(width: width, height: height), isOpaque: isOpaque) { bytes in
            for y in 0..<height {
                for x in 0..<width {
                    let value = color(x, y)
                    let pixel = 4 * (y * width + x)
                    for (place, component) in [value.z, value.y, value.x].enumerated() {
                        bytes[pixel + place] = UInt8(component * value.w / 255)
                    }
                    bytes[pixel + 3] = UInt8(value.w)
                }
            }
        }
    }

    /// The premultiplied colour at a position.
    subscript(x: Int, y: Int) -> RGBA {
        withRow(y) { RGBA(Int($0[4 * x + 2]), Int($0[4 * x + 1]), Int($0[4 * x]), Int($0[4 * x + 3])) }
    }

    var allBytes: [UInt8] {
        (0..<size.height).flatMap { y in withRow(y) { Array($0) } }
    }

    func png() throws -> Data { try PNGEncoder().encode(self, scale: 1) }

    func jpeg() throws -> Data {
        var encoder = JPEGEncoder()
        encoder.quality = 100
        encoder.subsampling = .none
        return try encoder.encode(self, scale: 1)
    }
}

extension Pixmap {
    /// A JPEG file with this picture's pixels and this EXIF orientation.
    func jpeg(orientation: Int) throws -> Data {
        let jpeg = try jpeg()
        let exif: [UInt8] =
            Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0]
            + [0, 0, 0, 0]
        let count = exif.count + 2
        // An APP1 segment after the start of the file.
        return Data(jpeg.prefix(2) + [0xFF, 0xE1, UInt8(count >> 8), UInt8(count & 255)] + exif + jpeg.dropFirst(2))
    }
}

/// Red, lime, blue and white quarters: upper left, upper right, lower left, lower right.
func quarters(_ width: Int, _ height: Int) -> Pixmap {
    .painted(width, height) { x, y in
        y < height / 2 ? (x < width / 2 ? red : lime) : (x < width / 2 ? blue : white)
    }
}

/// Draws a file.
func draw(_ data: Data, _ change: (inout ImageFile) -> Void = { _ in }) async throws(DrawingError) -> Drawing {
    var file = ImageFile(identifier: "test", data: data)
    change(&file)
    return try await engine.draw(file)
}

func picture(_ data: Data, _ change: (inout ImageFile) -> Void = { _ in }) async throws(DrawingError) -> Pixmap {
    try await draw(data, change).pixmaps[0]
}

/// The error of a drawing; nil if there is a picture.
func failure(_ data: Data, _ change: (inout ImageFile) -> Void = { _ in }) async -> DrawingError? {
    do throws(DrawingError) {
        _ = try await draw(data, change)
        return nil
    } catch { return error }
}

extension DrawingError {
    /// The code of a problem with the source.
    var problemCode: String? { if case .unusable(let problem) = self { problem.code } else { nil } }
}

/// Whether two colours differ by at most `difference` in each component.
func areClose(_ one: RGBA, _ other: RGBA, by difference: Int = 3) -> Bool {
    let distance = one &- other
    return (0..<4).allSatisfy { abs(distance[$0]) <= difference }
}
