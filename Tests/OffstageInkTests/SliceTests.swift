import Foundation
import Offstage
import Synchronization
import Testing

@testable import OffstageInk

/// A file that is being read arrives in slices.
struct SliceTests {
    private static func document(strokes: Int, background: String, last: String = "") -> InkDocument {
        let places = (0..<60).map { "\($0) \($0 * 7 % 90)" }.joined(separator: " ")
        let stroke = "<stroke tool=\"pen\" color=\"#000000ff\" width=\"2\">\(places)</stroke>"
        let text =
            "<xournal><page width=\"300\" height=\"200\">\(background)<layer>"
            + String(repeating: stroke, count: strokes) + "</layer>\(last)</page>"
            + "<page width=\"100\" height=\"100\"><layer>\(stroke)</layer><layer/></page></xournal>"
        return InkDocument(Data(text.utf8))
    }

    private static func load(_ document: InkDocument) async throws -> (Ink, [InkSlice]) {
        let engine = InkEngine(workers: 1, jail: .never)
        let slices = Mutex<[InkSlice]>([])
        let ink = try await engine.load(document, progress: { slice in slices.withLock { $0.append(slice) } }).ink
        await engine.shutDown()
        return (ink, slices.withLock { $0 })
    }

    @Test func slicesAreTheDocumentInItsOrder() async throws {
        let (ink, slices) = try await Self.load(Self.document(strokes: 500, background: ""))
        #expect(ink.pages.map(\.strokes.count) == [500, 1])
        #expect(ink.pages[1].layers.count == 2)
        #expect(slices.count > 2)
        #expect(slices.map(\.isFirst) == [true] + Array(repeating: false, count: slices.count - 1))
        // The first slice arrives long before the whole file.
        #expect(slices[0].itemCount < 250)
        for (number, page) in ink.pages.enumerated() {
            let parts = slices.flatMap(\.pages).filter { $0.number == number }
            #expect(parts.flatMap(\.items) == page.layers.flatMap(\.items))
            #expect(parts.flatMap(\.boxes) == page.layers.flatMap(\.items).map(\.bounds))
            #expect(parts[0].page.width == page.width)
        }
    }

    @Test func aBackgroundAfterItsStrokesCounts() async throws {
        let background = "<background type=\"solid\" color=\"#ff0000ff\" style=\"plain\"/>"
        let (ink, slices) = try await Self.load(Self.document(strokes: 300, background: "", last: background))
        let paper = InkBackground.paper(InkColor(red: 255, green: 0, blue: 0), .plain)
        #expect(ink.pages[0].background == paper)
        #expect(ink.pages[0].strokes.count == 300)
        // The strokes that had been sent before are sent again.
        let last = slices.lastIndex { $0.isFirst }
        let start = try #require(last)
        let items = slices[start...].flatMap(\.pages).filter { $0.number == 0 }.flatMap(\.items)
        #expect(items.count == 300)
        #expect(slices[start].pages[0].page.background == paper)
    }

    @Test func recordsInPiecesOfAnySizeAreTheSame() throws {
        let stroke = Stroke((0..<50).map { InkPoint(x: Float($0), y: 3, tilt: 0.5) })
        let ink = Ink(pages: [InkPage(layers: [InkLayer(name: "a", strokes: [stroke, stroke])]), InkPage()])
        let data = InkRecords.data(of: ink)
        for size in [1, 7, 100, 5_000] {
            var stream = InkRecordStream(makesSlices: true)
            for start in stride(from: 0, to: data.count, by: size) {
                #expect(stream.finished == nil || start > 0)
                let isRecords = stream.append(data.subdata(in: start..<min(data.count, start + size)))
                #expect(isRecords)
            }
            #expect(stream.finished == ink)
            let counts = [3, 2, 1].map { stream.takeSlice(ofAtLeast: $0)?.itemCount }
            #expect(counts == [nil, 2, nil])
        }
        var stream = InkRecordStream()
        let isRecords = stream.append(Data("offsink2".utf8))
        #expect(!isRecords)
    }

    @Test func moreThanTheLimitIsAnError() async throws {
        let engine = InkEngine(workers: 1, jail: .never)
        var limits = InkLimits()
        limits.points = 29_999
        await #expect(throws: DrawingError.self) {
            try await engine.load(Self.document(strokes: 500, background: ""), limits: limits, progress: { _ in })
        }
        await engine.shutDown()
    }
}
