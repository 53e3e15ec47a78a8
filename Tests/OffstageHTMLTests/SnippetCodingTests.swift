import Foundation
import Offstage
import Testing

@testable import OffstageHTML

/// Snippets and answers on their way between a host and a worker.
struct SnippetCodingTests {
    /// A property that does not travel would have no effect on pictures.
    @Test func everyPropertyTravels() {
        let snippet = Snippet("<p>", identifier: "a")
        let properties = Set(Mirror(reflecting: snippet).children.compactMap(\.label))
        // The host keeps these.
        let kept: Set = ["base", "extra"]
        #expect(properties.subtracting(kept) == Set(Snippet.CodingKeys.allCases.map(\.rawValue)))
    }

    @Test func whatTravelsArrivesUnchanged() throws {
        var snippet = Snippet(identifier: "é", html: Data([0, 255, 60]), charset: "windows-1252")
        snippet.geometry = Geometry(width: 7, height: .fixed(9), viewportHeight: 3, scale: 1.1)
        snippet.selector = Snippet.Selector("p", isEach: true, outset: 2)
        snippet.background = Color(red: 0.1, green: 0.2, blue: 0.3, alpha: 0.4)
        snippet.margins = Margins(isTrimmed: true, padding: 5, color: .white)
        snippet.emulation.language = "de-AT"
        snippet.emulation.fonts.family = "DejaVu Sans"
        snippet.styleSheets = ["p { color: red }", ""]
        snippet.limits.memory = 123
        for medium in [Medium.pixels, .vector(), .vector(Paper(width: 100, height: 200))] {
            let sent = snippet.drawn(into: medium)
            let data = HTMLMessageContent.data(of: HTMLJob(sent))
            let arrived = try #require(HTMLMessageContent.value(of: data, as: HTMLJob.self)).snippet
            #expect(arrived.html == sent.html)
            #expect(Machine.fingerprint(of: arrived) == Machine.fingerprint(of: sent))
            #expect(arrived.limits == sent.limits)
            #expect(arrived.geometry == sent.geometry)
        }
    }

    @Test(arguments: [
        DrawingError.empty, .zeroHeight, .cancelled, .engineHung(seconds: 2.5), .invalidRequest("é"),
        .tooLarge(measured: PixelSize(width: 1, height: 2), limit: PixelSize(width: 3, height: 4)),
        .overLimit(LimitExcess(.elements, allowed: 1, measured: 2)),
        .incomplete([DrawingWarning(.resourceMissing, "a.png", reason: "b")]),
        .spoolFailed(FileError("write", path: "/a", code: 28)), .engineHung(seconds: 1e300),
    ])
    func errorsArriveUnchanged(_ error: DrawingError) {
        let data = HTMLMessageContent.data(of: HTMLFailure(error))
        #expect(HTMLMessageContent.value(of: data, as: HTMLFailure.self)?.error == error)
        #expect(!"\(error)".isEmpty)
    }

    /// The answer of a worker that was taken over.
    @Test func answersThatNoDrawingHasAreRefused() throws {
        let bytes: [UInt8] = Array(repeating: 255, count: 4 * 6)
        var pixmaps: [Pixmap] = []
        let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 16)
        memory.copyMemory(from: bytes, byteCount: bytes.count)
        let address = UInt(bitPattern: memory)
        let pixmap = Pixmap(
            base: memory, size: PixelSize(width: 2, height: 3), bytesPerRow: 8, isOpaque: true
        ) { UnsafeMutableRawPointer(bitPattern: address)?.deallocate() }
        let answer = HTMLAnswer(Drawing(pixmaps: [pixmap, pixmap], scale: 1), pixmaps: &pixmaps)
        #expect(pixmaps.count == 2)
        #expect(answer.drawing { _ in pixmap }?.pictures.count == 2)
        // The pixels are not in the memory.
        #expect(answer.drawing { _ in nil }?.pictures == nil)
        let empty = Data("bplist00".utf8)
        #expect(HTMLMessageContent.value(of: empty, as: HTMLAnswer.self) == nil)
    }
}
