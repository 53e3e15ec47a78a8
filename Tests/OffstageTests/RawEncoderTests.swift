import Foundation
import Offstage
import Testing

/// The bytes that docs/command-line.md promises.
struct RawEncoderTests {
    private let picture = Pixmap.of(2, 2, isOpaque: false, padding: [9, 9, 9, 9]) { x, y in
        x == 0 ? [0, 0, 128, 128] : [UInt8(10 * y), 20, 30, 255]
    }

    private func header(_ layout: String, scale: Float) -> [UInt8] {
        func little(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.littleEndian, Array.init) }
        return Array("OFFSTAGE".utf8) + little(1) + little(2) + little(2) + little(8) + Array(layout.utf8)
            + little(scale.bitPattern)
    }

    @Test func premultipliedBGRA() throws {
        let data = try RawEncoder().encode(picture, scale: 2)
        let pixels: [UInt8] = [0, 0, 128, 128, 0, 20, 30, 255, 0, 0, 128, 128, 10, 20, 30, 255]
        #expect([UInt8](data) == header("BGRA", scale: 2) + pixels)
    }

    @Test func straightRGBA() throws {
        let data = try RawEncoder(layout: .rgba).encode(picture, scale: 1.5)
        let pixels: [UInt8] = [255, 0, 0, 128, 30, 20, 0, 255, 255, 0, 0, 128, 30, 20, 10, 255]
        #expect([UInt8](data) == header("RGBA", scale: 1.5) + pixels)
    }

    @Test func behindTheHeaderAreThePixelsAlone() throws {
        let sample = Pixmap.sample(isOpaque: false)
        let data = try RawEncoder(layout: .rgba).encode(sample, scale: 1)
        #expect([UInt8](data.dropFirst(32)) == sample.straight)
    }
}
