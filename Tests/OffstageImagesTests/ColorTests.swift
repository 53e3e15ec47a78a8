import Foundation
import Offstage
import OffstageImages
import Testing

@Suite struct ColorTests {
    /// Colours are converted with the profile's curve, whatever its name; half of the light is 188 in sRGB.
    @Test func aProfileIsWhatItDoes() async throws {
        for isGray in [false, true] {
            let profile = RawProfile(name: "sRGB, a linear one", gamma: 1, isGray: isGray).bytes
            let count = isGray ? 1 : 3
            let tiff = RawTIFF(
                width: 1, height: 1, count: count, photometric: isGray ? 1 : 2, profile: profile
            ) { _, _, _ in 128 }
            #expect(areClose(try await picture(tiff.data)[0, 0], RGBA(188, 188, 188, 255), by: 1))
            #expect(try await draw(tiff.data).contents[0].facts["profile"] == .text("sRGB, a linear one"))
            // The curve of sRGB itself is close to this one.
            var plain = tiff
            plain.profile = []
            #expect(try await picture(plain.data)[0, 0] == RGBA(128, 128, 128, 255))
        }
    }

    /// Colour code points take precedence over a profile: Display P3, then a linear curve.
    @Test(arguments: [([12, 13, 0, 1], RGBA(108, 161, 80, 255)), ([1, 8, 0, 1], RGBA(183, 207, 160, 255))])
    func coloursNamedByNumbers(numbers: [UInt8], color: RGBA) async throws {
        var file = RawPNG(
            width: 1, height: 1, rows: [[120, 160, 90]], chunks: [("cICP", numbers), ("gAMA", RawPNG.number(20_000))])
        #expect(areClose(try await picture(file.data)[0, 0], color, by: 1))
        // 200 is not a defined code point, so the chunk is ignored.
        file.chunks = [("cICP", [200, 13, 0, 1])]
        #expect(try await picture(file.data)[0, 0] == RGBA(120, 160, 90, 255))
    }
}
