import Foundation
import Offstage
import Testing

@testable import OffstageInk

/// Excalidraw's and tldraw's files, and InkML of other programs.
struct DrawingProgramTests {
    private func load(_ text: String) async throws -> Ink {
        let engine = InkEngine(workers: 1, jail: .never)
        let ink = try await engine.load(InkDocument(Data(text.utf8))).ink
        await engine.shutDown()
        return ink
    }

    @Test("Excalidraw: shapes, arrows, texts and freehand lines on one page")
    func excalidraw() async throws {
        let ink = try await load(
            """
            {"type":"excalidraw","appState":{"viewBackgroundColor":"#fff0e0"},"elements":[
            {"type":"rectangle","x":100,"y":100,"width":200,"height":96,"strokeColor":"#e03131","backgroundColor":"#00ff00",
            "fillStyle":"solid","strokeWidth":4},
            {"type":"ellipse","x":0,"y":0,"width":10,"height":10,"isDeleted":true},
            {"type":"arrow","x":100,"y":300,"points":[[0,0],[200,0]],"strokeColor":"#000000","strokeWidth":2,"endArrowhead":"arrow"},
            {"type":"freedraw","x":100,"y":400,"points":[[0,0],[50,10],[100,0]],"pressures":[0.5,1,0.5],"strokeColor":"#0000ff","strokeWidth":1},
            {"type":"text","x":100,"y":450,"width":300,"text":"Hello","fontSize":20,"strokeColor":"#000000"}]}
            """)
        let page = try #require(ink.pages.first)
        #expect(page.background == .paper(InkColor(red: 255, green: 240, blue: 224), .plain))
        // The inside and the outline, the line and its head, the freehand line.
        #expect(page.strokes.count == 5)
        #expect(page.strokes[0].fill == 255 && page.strokes[0].color.green == 255)
        #expect(page.strokes[1].width == 3 && page.strokes[1].color.red == 0xE0)
        #expect(page.strokes[4].points.map(\.pressure) == [1, 2, 1])
        // 200 CSS px are 150 points.
        let x = page.strokes[1].points.map(\.x)
        #expect((x.max() ?? 0) - (x.min() ?? 0) == 150)
        #expect(page.layers[0].items.contains { if case .text(let text) = $0 { text.text == "Hello" } else { false } })
    }

    @Test("tldraw: each page, with shapes in groups")
    func tldraw() async throws {
        let ink = try await load(
            """
            {"tldrawFileFormatVersion":1,"records":[{"typeName":"page","id":"page:b","index":"a2"},
            {"typeName":"page","id":"page:a","index":"a1"},
            {"typeName":"shape","type":"group","id":"shape:g","parentId":"page:a","index":"a1","x":100,"y":0,"props":{}},
            {"typeName":"shape","type":"line","id":"shape:l","parentId":"shape:g","index":"a1","x":0,"y":50,"props":
            {"color":"red","size":"s","points":{"q":{"index":"a2","x":100,"y":0},"p":{"index":"a1","x":0,"y":0}}}},
            {"typeName":"shape","type":"geo","id":"shape:r","parentId":"page:a","index":"a2","x":0,"y":0,"props":
            {"geo":"rectangle","w":40,"h":40,"color":"blue","size":"m","fill":"none"}}]}
            """)
        #expect(ink.pages.map(\.strokes.count) == [2, 0])
        let (line, box) = (ink.pages[0].strokes[0], ink.pages[0].strokes[1])
        #expect(line.points.count == 2 && line.points[1].x - line.points[0].x == 75)
        #expect(line.points[0].x - (box.points.map(\.x).min() ?? 0) == 75)
        #expect(line.color == InkColor(red: 0xE0, green: 0x31, blue: 0x31))
    }

    @Test("InkML of Office: the resolution is the unit")
    func resolution() async throws {
        let ink = try await load(
            """
            <ink xmlns="http://www.w3.org/2003/InkML"><definitions><context xml:id="c"><inkSource xml:id="s"><traceFormat>
            <channel name="X" type="integer" units="cm"/><channel name="Y" type="integer" units="cm"/></traceFormat>
            <channelProperties><channelProperty channel="X" name="resolution" value="1000" units="1/cm"/>
            <channelProperty channel="Y" name="resolution" value="1000" units="1/cm"/></channelProperties></inkSource></context>
            </definitions><trace contextRef="#c">0 0, 2540 0</trace></ink>
            """)
        let points = ink.pages[0].strokes[0].points
        #expect(abs(points[1].x - points[0].x - 72) < 0.001)
    }

    @Test("InkML: groups' brushes, hovering, definitions and hexadecimal values")
    func groups() async throws {
        let ink = try await load(
            """
            <ink xmlns="http://www.w3.org/2003/InkML"><definitions>
            <brush xml:id="a"><brushProperty name="color" value="#ff0000"/></brush>
            <brush xml:id="b"><brushProperty name="color" value="#0000ff"/></brush>
            <trace xml:id="t">0 0, 500 500</trace></definitions>
            <traceGroup brushRef="#a"><trace>10 10, #64 10</trace><traceGroup><trace>10 60, 200 60</trace></traceGroup></traceGroup>
            <trace type="penUp">0 0, 900 900</trace><trace brushRef="#b">10 120, 200 120</trace></ink>
            """)
        let strokes = ink.pages[0].strokes
        #expect(strokes.map(\.color.red) == [255, 255, 0])
        #expect(abs(strokes[0].points[1].x - strokes[0].points[0].x - 90 * 0.75) < 0.001)
    }

    @Test("Offstage's own InkML comes back whole")
    func wholeInkML() async throws {
        let strokes = (0..<100).map { number in
            var stroke = windingStroke(number, points: 5)
            stroke.color = InkColor(red: UInt8(number), green: 2, blue: 3, opacity: number == 1 ? 255 : 200)
            stroke.tool = InkTool.allCases[number % InkTool.allCases.count]
            stroke.cap = InkCap.allCases[number % InkCap.allCases.count]
            stroke.dynamics.widthByPressure = 0.3
            stroke.dynamics.opacityByPressure = 0.8
            stroke.dynamics.widthBySpeed = 0.25
            (stroke.taperStart, stroke.taperEnd, stroke.dash, stroke.smoothing) = (2, 3, [4, 1], 0.75)
            stroke.fill = UInt8(number)
            return stroke
        }
        let file = InkMLWriter.file(Ink(pages: [InkPage(layers: [InkLayer(strokes: strokes)])]))
        #expect(file.losses.isEmpty)
        let back = try await load(String(decoding: file.data, as: UTF8.self)).pages[0].strokes
        #expect(back.count == 100)
        for (old, new) in zip(strokes, back) {
            var new = new
            new.points = old.points
            #expect(new == old)
        }
    }
}
