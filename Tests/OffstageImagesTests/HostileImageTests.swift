import Foundation
import Offstage
import OffstageImages
import SeededRandom
import Testing

@Suite struct HostileImageTests {
    @Test(arguments: [0.3, 0.6, 0.95])
    func aFileThatWasCutShowsItsFirstRows(share: Double) async throws {
        let source = Pixmap.painted(400, 400) { x, y in
            RGBA((x * 7 + y * 3) % 256, (x * x) % 256, (y * y + x) % 256, 255)
        }
        for data in [try source.jpeg(), try source.png()] {
            let cut = data.prefix(Int(Double(data.count) * share))
            let drawing = try await draw(Data(cut)) { $0.geometry.width = 100 }
            #expect(drawing.warnings.map(\.code) == [.imageDamaged])
            #expect(drawing.pixmaps[0].size == PixelSize(width: 100, height: 100))
            #expect(drawing.pixmaps[0][50, 2].w == 255)
            #expect(drawing.pixmaps[0][50, 99].w == 0)
            #expect(
                await failure(Data(cut)) { $0.requiresComplete = true } == nil,
                "the renderer checks this, not the engine")
        }
    }

    @Test func whatIsNotAnImageIsAnError() async throws {
        let texts = ["", "<svg xmlns='http://www.w3.org/2000/svg'/>", "%PDF-1.7", "hello", "BM"]
        for text in texts.dropFirst() { #expect(await failure(Data(text.utf8))?.problemCode == "not-an-image") }
        #expect(await failure(Data()) == .empty)
        let heads: [[UInt8]] = [
            [0xFF, 0xD8, 0xFF, 0xE0], [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], Array("GIF89a".utf8),
            Array("RIFF\0\0\0\0WEBP".utf8), [0x49, 0x49, 0x2A, 0], [0xFF, 0x0A], [0xFF, 0x4F, 0xFF, 0x51],
            Array("\0\0\0\u{18}ftypheic\0\0\0\0mif1".utf8), Array("\0\0\0\u{1C}ftypavif\0\0\0\0mif1".utf8),
            Array("BM\u{3A}\0\0\0\0\0\0\0\u{36}\0\0\0\u{28}\0\0\0".utf8), [0, 0, 1, 0, 1, 0],
        ]
        for head in heads {
            let error = await failure(Data(head + [UInt8](repeating: 0x41, count: 40)))
            #expect(error?.problemCode == "image-damaged", "\(head)")
        }
    }

    @Test func theHeadsSizeIsCheckedBeforeAnythingIsDecoded() async throws {
        let bomb = RawPNG(width: 60_000, height: 60_000, rows: [[0, 0, 0]])
        let error = await failure(bomb.data) { $0.geometry.width = 100 }
        guard case .overLimit(let excess)? = error else { throw Unexpected(error: error) }
        #expect(excess.limit == .imagePixels)
        // A picture that is too large, made from an image that is not.
        let small = try quarters(100, 100).png()
        let large = await failure(small) { ($0.geometry.width, $0.geometry.fit) = (30_000, .fill) }
        guard case .tooManyPixels? = large else { throw Unexpected(error: large) }
    }

    @Test func allOptionsAreBounded() async throws {
        let data = try quarters(40, 40).png()
        let wild: [(inout ImageFile) -> Void] = [
            { $0.geometry.width = -5 }, { $0.geometry.width = .max }, { $0.geometry.scale = .infinity },
            { $0.geometry.scale = .nan },
            { $0.geometry.scale = -1 }, { $0.frame = -7 }, { $0.frame = .max }, { $0.limits.imagePixels = -1 },
            { $0.limits.budget.pixels = 0 }, { $0.geometry.crop = .init(x: .max, y: .max, width: .max, height: .max) },
            { $0.geometry.crop = .init(x: -1, y: .min, width: .min, height: 0) }, { $0.limits.budget.memory = 0 },
            { $0.background = Color(red: .nan, green: -4, blue: 9, alpha: .infinity) },
        ]
        for (index, change) in wild.enumerated() {
            let error = await failure(data) {
                $0.geometry.width = 10
                change(&$0)
            }
            #expect(isTyped(error), "\(index): \(String(describing: error))")
        }
        #expect(try await picture(data).size == PixelSize(width: 40, height: 40))
    }

    /// Whatever bytes were changed, each file gives one result, no worker ends, and the next file is drawn as usual.
    @Test(arguments: Seed.some(4)) func changedFilesCostOneResult(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let engine = ImageEngine(workers: 1)
        let good = try quarters(64, 48).png()
        let expected = try await picture(good).allBytes
        for data in [try quarters(120, 90).jpeg(), good, try WebPEncoder().encode(quarters(90, 70), scale: 1)] {
            for _ in 0..<12 {
                var changed = data
                for _ in 0..<Int.random(in: 1...8, using: &random) {
                    changed[Int.random(in: 0..<changed.count, using: &random)] = UInt8.random(
                        in: 0...255, using: &random)
                }
                var file = ImageFile(identifier: "changed", data: changed)
                file.geometry.width = 50
                do throws(DrawingError) { _ = try await engine.draw(file) } catch {
                    #expect(isTyped(error), "\(error)")
                }
            }
            let drawing = try await engine.draw(ImageFile(identifier: "good", data: good))
            #expect(drawing.pixmaps[0].allBytes == expected)
        }
        #expect(await engine.restarts == 0)
        await engine.shutDown()
    }

    /// Whether the error names what is wrong. The error for a worker that ended does not.
    private func isTyped(_ error: DrawingError?) -> Bool {
        switch error {
        case nil, .unusable, .overLimit, .tooLarge, .tooManyPixels, .empty, .invalidRequest: true
        default: false
        }
    }
}

/// An outcome that the test does not expect.
struct Unexpected: Error { var error: DrawingError? }
