import Foundation
import Offstage
import Testing

@testable import OffstageInk

/// The formats that Offstage reads and writes.
struct FormatTests {
    private func load(_ text: String) async throws -> Ink {
        let engine = InkEngine(workers: 1, jail: .never)
        let ink = try await engine.load(InkDocument(Data(text.utf8))).ink
        await engine.shutDown()
        return ink
    }

    @Test("InkML: brushes, channels and differences")
    func inkML() async throws {
        let ink = try await load(
            """
            <ink xmlns="http://www.w3.org/2003/InkML"><definitions>
            <brush xml:id="b"><brushProperty name="width" value="2" units="mm"/><brushProperty name="color" value="#ff0000"/></brush>
            <context xml:id="c"><inkSource><traceFormat><channel name="X" units="mm"/><channel name="Y" units="mm"/>
            <channel name="F" max="1000"/></traceFormat></inkSource></context></definitions>
            <trace contextRef="#c" brushRef="#b">10 10 500, '10 '0 '250, 5 5 0, "1 "2 "0</trace></ink>
            """)
        let stroke = try #require(ink.pages[0].strokes.first)
        #expect(stroke.color == InkColor(red: 255, green: 0, blue: 0))
        #expect(abs(stroke.width - 5.669) < 0.01)
        let x = stroke.points.map { ($0.x - stroke.points[0].x) / 72 * 25.4 }
        #expect(zip(x, [0, 10, 15, 21]).allSatisfy { abs($0 - $1) < 0.001 })
        #expect(stroke.points.map(\.pressure)[0...1] == [1, 1.5])
    }

    @Test("perfect-freehand: points, pressures and options")
    func freehand() async throws {
        let ink = try await load(
            "[{\"points\":[[0,0,0.5],[100,0,1]],\"size\":8,\"thinning\":1},{\"points\":[{\"x\":0,\"y\":50},{\"x\":9,\"y\":50}]}]"
        )
        let strokes = ink.pages[0].strokes
        #expect(strokes.count == 2)
        #expect(strokes[0].width == 6 && strokes[0].dynamics.widthByPressure == 1)
        #expect(strokes[0].points.map(\.pressure) == [1, 2])
        #expect(strokes[1].dynamics.widthBySpeed == 0.5)
        let pages = try await load("{\"a\":[[0,0],[5,5]],\"b\":[[1,1],[2,2]]}")
        #expect(pages.pages.count == 2)
    }

    @Test("Rnote: the strokes on each page of endless paper")
    func rnote() async throws {
        func stroke(_ y: Int) -> String {
            """
            {"value":{"brushstroke":{"path":{"start":{"pos":[96,\(y)],"pressure":0.5},"segments":[{"lineto":{"end":{"pos":[192,\(y)],"pressure":1}}}]},
            "style":{"smooth":{"stroke_width":4,"stroke_color":{"r":1,"g":0,"b":0,"a":1},"pressure_curve":"linear"}}}},"version":1}
            """
        }
        let ink = try await load(
            """
            {"version":"0.9.0","data":{"engine_snapshot":{"document":{"format":{"width":960,"height":960,"dpi":96},"height":1920},
            "stroke_components":[\(stroke(96)),\(stroke(1056)),{"value":{"textstroke":{}}},{"value":null}]}}}
            """)
        #expect(ink.pages.count == 2)
        for page in ink.pages {
            let stroke = try #require(page.strokes.first)
            #expect(stroke.points.map(\.x) == [72, 144])
            #expect(abs(stroke.points[0].y - 72) < 0.001)
            #expect(stroke.width == 3 && stroke.color.red == 255)
        }
    }

    @Test("Written InkML can be read again")
    func inkMLRoundTrip() async throws {
        var stroke = windingStroke()
        (stroke.smoothing, stroke.dynamics, stroke.color.opacity) = (0.5, .pressure, 200)
        let ink = Ink(pages: [InkPage(layers: [InkLayer(strokes: [stroke])]), InkPage(width: 100, height: 50)])
        let engine = InkEngine(workers: 1, jail: .never)
        let read = try await engine.load(InkDocument(InkMLWriter.file(ink).data)).ink
        await engine.shutDown()
        #expect(read.pages.count == 2 && read.pages[1].width == 100)
        let back = try #require(read.pages[0].strokes.first)
        #expect(back.smoothing == 0.5 && back.color == stroke.color && back.dynamics == .pressure)
        for (old, new) in zip(stroke.points, back.points) {
            #expect(
                abs(old.x - new.x) < 0.001 && abs(old.pressure - new.pressure) < 0.001
                    && abs(old.tilt - new.tilt) < 0.001)
        }
    }

    @Test("An SVG of 2,000 strokes has at most 3.3 MB")
    func sizeOfSVG() {
        let strokes = (0..<2_000).map { number in
            var stroke = windingStroke(number)
            stroke.dynamics = .pressure
            return stroke
        }
        let file = InkSVGWriter.file(InkPage(layers: [InkLayer(strokes: strokes)]))
        #expect(file.data.count < 3_300_000, "\(file.data.count)")
        #expect(file.losses.isEmpty)
        let pdf = InkPDFWriter.file(Ink(pages: [InkPage(layers: [InkLayer(strokes: strokes)])]), style: .annotations)
        #expect(pdf.data.starts(with: Data("%PDF-".utf8)))
        #expect(
            pdf == InkPDFWriter.file(Ink(pages: [InkPage(layers: [InkLayer(strokes: strokes)])]), style: .annotations))
    }
}
