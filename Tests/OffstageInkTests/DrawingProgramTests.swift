import Foundation
import Offstage
import Testing

@testable import OffstageInk

/// Excalidraw's and tldraw's files, and InkML from other programs.
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
        // A shape's fill and outline, an arrow's line and head, and a freehand line.
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

    /// Values of 32 bits, followed by differences of 16 bits, in base64.
    private func packed(_ first: [Float], _ rest: [Float16]) -> String {
        (first.withUnsafeBytes { Data($0) } + rest.withUnsafeBytes { Data($0) }).base64EncodedString()
    }

    @Test("tldraw: freehand lines with packed points equal those of older files")
    func packedPoints() async throws {
        let lists = [
            "\"points\":[{\"x\":0,\"y\":1000,\"z\":0.25},{\"x\":10,\"y\":1008,\"z\":0.5},{\"x\":4,\"y\":1016.5,\"z\":1}]",
            "\"path\":\"\(packed([0, 1000, 0.25], [10, 8, 0.25, -6, 8.5, 0.5]))\"",
            "\"path\":\"\(packed([0, 1000], [10, 8, -6, 8.5]))\",\"dim\":2",
            "\"points\":\"\(packed([], [0, 1000, 0.25, 10, 1008, 0.5, 4, 1016.5, 1]))\"",
        ]
        var strokes: [Stroke] = []
        for list in lists {
            let ink = try await load(
                """
                {"tldrawFileFormatVersion":1,"records":[{"typeName":"page","id":"page:a","index":"a1"},
                {"typeName":"shape","type":"draw","id":"shape:d","parentId":"page:a","index":"a1","x":0,"y":0,"props":
                {"color":"red","size":"s","isPen":true,"segments":[{"type":"free",\(list)}]}}]}
                """)
            strokes.append(try #require(ink.pages[0].strokes.first))
        }
        #expect(strokes[0].points.count == 3 && strokes[0].points.map(\.pressure) == [0.5, 1, 2])
        for stroke in strokes.dropFirst() {
            for (one, other) in zip(strokes[0].points, stroke.points) {
                #expect(abs(one.x - other.x) < 0.4 && abs(one.y - other.y) < 0.4)
            }
            #expect(stroke.points.count == 3)
        }
        #expect(strokes[1].points.map(\.pressure) == [0.5, 1, 2] && strokes[2].points.map(\.pressure) == [1, 1, 1])
    }

    @Test("tldraw: damaged packed points cost only their line, with a warning")
    func damagedPoints() async throws {
        let engine = InkEngine(workers: 1, jail: .never)
        for (path, codes) in [
            ("AAAA", ["ink-elements-ignored"]),
            (packed([.nan, 0, 0], []), ["ink-elements-ignored", "ink-points-refused"]),
            (packed([0, 0, 0], [.infinity, 1, 1]), ["ink-points-refused"]),
        ] {
            let text = """
                {"tldrawFileFormatVersion":1,"records":[{"typeName":"page","id":"page:a","index":"a1"},
                {"typeName":"shape","type":"draw","id":"shape:d","parentId":"page:a","index":"a1","x":0,"y":0,"props":
                {"segments":[{"type":"free","path":"\(path)"}]}}]}
                """
            let read = try await engine.load(InkDocument(Data(text.utf8)))
            #expect(read.warnings.map(\.code.name).sorted() == codes)
        }
        await engine.shutDown()
    }

    @Test("tldraw's first version: pages of shapes, keyed by name")
    func firstVersion() async throws {
        let ink = try await load(
            """
            {"name":"old","document":{"id":"doc","version":15.5,"pages":{"page":{"id":"page","shapes":{
            "b":{"id":"b","type":"rectangle","childIndex":2,"point":[100,0],"size":[40,20],"style":{"color":"blue","size":"small","isFilled":true}},
            "a":{"id":"a","type":"draw","childIndex":1,"point":[0,0],"points":[[0,0,0.5],[10,10,0.25]],"style":{"color":"red","size":"large"}},
            "c":{"id":"c","type":"text","childIndex":3,"point":[0,60],"text":"Hello","style":{"size":"small"}}}}}}}
            """)
        let page = try #require(ink.pages.first)
        #expect(page.strokes.count == 3 && page.strokes[0].points.map(\.pressure) == [1, 0.5])
        #expect(page.strokes[0].color == InkColor(red: 0xFF, green: 0x21, blue: 0x33))
        #expect(page.strokes[1].fill == 255)
        #expect(page.layers[0].items.contains { if case .text(let text) = $0 { text.text == "Hello" } else { false } })
    }

    @Test(
        "Rotated images are rotated; rotated texts are upright, with a warning; only convert reports deleted elements"
    )
    func turns() async throws {
        let png =
            "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAADUlEQVR4nGP4zwAE/wEHAAH/4iOeWQAAAABJRU5ErkJggg=="
        func file(_ elements: String) -> InkDocument {
            InkDocument(
                Data(
                    "{\"type\":\"excalidraw\",\"files\":{\"f\":{\"dataURL\":\"data:image/png;base64,\(png)\"}},\"elements\":[\(elements)]}"
                        .utf8))
        }
        let engine = InkEngine(workers: 1, jail: .never)
        let image =
            "{\"type\":\"image\",\"fileId\":\"f\",\"x\":0,\"y\":0,\"width\":80,\"height\":40,\"angle\":1.5707963}"
        let turned = try await engine.load(file(image))
        #expect(turned.warnings.isEmpty)
        guard case .image(let box)? = turned.ink.pages[0].layers[0].items.first else {
            Issue.record("no image")
            return
        }
        #expect(abs(box.right - box.left - 30) < 0.1 && abs(box.bottom - box.top - 60) < 0.1)
        let text =
            "{\"type\":\"text\",\"text\":\"a\",\"fontSize\":20,\"x\":0,\"y\":0,\"width\":20,\"height\":25,\"angle\":0.5}"
        #expect(try await engine.load(file(text)).warnings.map(\.code.name) == ["ink-elements-ignored"])
        let deleted = file(
            "{\"type\":\"rectangle\",\"isDeleted\":true},{\"type\":\"rectangle\",\"width\":9,\"height\":9}")
        #expect(try await engine.load(deleted).warnings.map(\.code.name) == ["ink-elements-ignored"])
        #expect(try await engine.draw(InkDrawing(deleted)).warnings.isEmpty)
        await engine.shutDown()
    }

    @Test("InkML from Office: the resolution defines the unit")
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

    @Test("InkML: brushes of groups, hovering, definitions and hexadecimal values")
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

    @Test("Offstage's own InkML is read back in full")
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
