import Foundation
import Offstage
import OffstageImages
import Testing

/// `--frame` of animated PNG files: each frame is drawn over the earlier ones, as the file specifies.
@Suite struct AnimatedPNGTests {
    private static let (redBytes, limeBytes, blueBytes) = ([255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255])

    /// Red everywhere; lime in the upper left quarter, which is then cleared; blue in the lower right quarter, which
    /// is then restored; half-transparent white over the top row.
    private static let frames: [AnimatedPNG.Frame] = [
        .init(0, 0, 4, 4, redBytes), .init(0, 0, 2, 2, limeBytes, disposal: 1),
        .init(2, 2, 2, 2, blueBytes, disposal: 2),
        .init(0, 0, 4, 1, [255, 255, 255, 128], blending: 1),
    ]

    @Test(arguments: [8, 16]) func framesAreDrawnOverEachOther(bits: Int) async throws {
        let file = AnimatedPNG(bits: bits, frames: Self.frames).data
        func corners(_ frame: Int) async throws -> [RGBA] {
            let drawn = try await picture(file) { $0.frame = frame }
            return [drawn[0, 0], drawn[3, 0], drawn[0, 1], drawn[3, 3]]
        }
        #expect(try await corners(1) == [red, red, red, red])
        #expect(try await corners(2) == [lime, red, lime, red])
        #expect(try await corners(3) == [clear, red, clear, blue])
        // Half-transparent white over nothing, premultiplied, and over red.
        let last = try await corners(4)
        for (corner, wanted) in zip(last, [RGBA(128, 128, 128, 128), RGBA(255, 128, 128, 255), clear, red]) {
            #expect(areClose(corner, wanted, by: 1), "\(corner)")
        }
    }

    @Test func aFileWithoutTransparencyCanBeCleared() async throws {
        let frames: [AnimatedPNG.Frame] = [
            .init(0, 0, 4, 4, [255, 0, 0], disposal: 1), .init(3, 3, 1, 1, [0, 0, 255]),
        ]
        let drawn = try await picture(AnimatedPNG(frames: frames).data) { $0.frame = 2 }
        #expect(!drawn.isOpaque)
        #expect([drawn[0, 0], drawn[3, 3]] == [clear, blue])
        #expect(try await picture(AnimatedPNG(frames: frames).data).isOpaque)
    }

    /// A still picture before the animation is meant for programs that do not support animations.
    @Test func aSeparateStillPictureIsNotAFrame() async throws {
        let file = AnimatedPNG(still: [9, 9, 9, 255], frames: Self.frames).data
        #expect(try await picture(file)[3, 3] == red)
        #expect(try await picture(file) { $0.frame = 2 }[0, 0] == lime)
        #expect(try await draw(file).contents[0].facts["frames"] == .number(4))
    }

    @Test func theFramesThatAreThereCount() async throws {
        let file = AnimatedPNG(claimed: 0xFFFF_FFFF, frames: Self.frames).data
        #expect(try await engine.facts(about: ImageFile(identifier: "a", data: file)).frames == 4)
        #expect(await failure(file) { $0.frame = 5 }?.problemCode == "no-such-frame")
        // No more frames than the header states.
        let few = AnimatedPNG(claimed: 2, frames: Self.frames).data
        #expect(try await engine.facts(about: ImageFile(identifier: "a", data: few)).frames == 2)
        // A count of zero means a still picture.
        let none = AnimatedPNG(claimed: 0, frames: Self.frames).data
        #expect(try await engine.facts(about: ImageFile(identifier: "a", data: none)).frames == 1)
    }

    /// The animation ends before a frame that is outside the canvas, is out of order, or has an unknown disposal or
    /// blending.
    @Test func aFrameThatContradictsTheFileEndsIt() async throws {
        let wrong: [AnimatedPNG.Frame] = [
            .init(3, 3, 2, 2, Self.limeBytes), .init(0, 0, 2, 2, Self.limeBytes, disposal: 3),
            .init(0, 0, 2, 2, Self.limeBytes, blending: 2), .init(0, 0, 0, 0, Self.limeBytes),
        ]
        for frame in wrong {
            let file = AnimatedPNG(frames: [Self.frames[0], frame, Self.frames[2]]).data
            #expect(await failure(file) { $0.frame = 2 }?.problemCode == "no-such-frame")
            #expect(try await picture(file)[3, 3] == red)
        }
    }

    @Test func aFrameThatWasCutIsReported() async throws {
        let frames: [AnimatedPNG.Frame] = [.init(0, 0, 40, 40, Self.redBytes), .init(0, 0, 40, 40, Self.limeBytes)]
        let file = AnimatedPNG(width: 40, height: 40, frames: frames).data
        let drawing = try await draw(file.dropLast(3000)) { $0.frame = 2 }
        #expect(drawing.warnings.map(\.code) == [.imageDamaged])
        #expect(drawing.pixmaps[0][0, 0] == lime)
        #expect(drawing.pixmaps[0][39, 39] == red)
        #expect(try await draw(file.dropLast(3000)).warnings.isEmpty)
    }
}
