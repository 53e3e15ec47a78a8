import Foundation
import Offstage
import Testing

@testable import OffstageWorkers

/// A worker's pixels can have any value, even colours that are impossible for premultiplied pixels.
struct UntrustedPixelTests {
    /// A decoder may read memory that it has not initialised.
    @Test func noneIsMemoryOfAnotherDocument() async throws {
        try await withEngine { engine async throws in
            #expect(try await engine.pixels("a", .oldMemory) == PixelBytes(bytes: [UInt8](repeating: 0, count: 4096)))
        }
    }

    @Test func everyEncoderTakesThem() async throws {
        try await withEngine { engine async throws in
            // Contains every pair of a colour value and an alpha value.
            let document = Data((0..<65_536).flatMap { [UInt8($0 & 0xff), 0xff, UInt8($0 >> 8), UInt8($0 >> 8)] })
            let drawing = try await engine.draw(TestRequest(document: document, command: .echoLarge))
            let pixmap = drawing.pixmaps[0]
            #expect(try !PNGEncoder().encode(pixmap, scale: 1).isEmpty)
            #expect(try !WebPEncoder().encode(pixmap, scale: 1).isEmpty)
            #expect(try !JPEGEncoder().encode(pixmap, scale: 1).isEmpty)
            #expect(try !RawEncoder().encode(pixmap, scale: 1).isEmpty)
        }
    }
}
