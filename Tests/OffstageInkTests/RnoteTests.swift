import Foundation
import Offstage
import Testing

@testable import OffstageInk

/// Rnote's sheet, divided into pages.
struct RnoteTests {
    private static let black = #"{"r":0,"g":0,"b":0,"a":1}"#

    private static func style(_ width: Double = 4, fill: String = "null") -> String {
        #"{"smooth":{"stroke_width":\#(width),"stroke_color":\#(black),"fill_color":\#(fill),"pressure_curve":"const"}}"#
    }

    private static func line(_ x1: Int, _ y1: Int, _ x2: Int, _ y2: Int) -> String {
        """
        {"brushstroke":{"path":{"start":{"pos":[\(x1),\(y1)],"pressure":0.5},
        "segments":[{"lineto":{"end":{"pos":[\(x2),\(y2)],"pressure":0.5}}}]},"style":\(style())}}
        """
    }

    /// Pages of 960 x 960 px, which are 720 x 720 points.
    private static func file(
        _ strokes: [String], times: [String] = [], paper: String = #""layout":"fixed-size""#, background: String = "{}"
    ) -> String {
        let values = strokes.map { "{\"value\":\($0),\"version\":1}" }.joined(separator: ",")
        return """
            {"version":"0.12.0","data":{"engine_snapshot":{"document":{"format":{"width":960,"height":960,"dpi":96},
            "background":\(background),\(paper)},"stroke_components":[\(values)],
            "chrono_components":[\(times.map { "{\"value\":\($0)}" }.joined(separator: ","))]}}}
            """
    }

    private func load(_ text: String) async throws -> (ink: Ink, warnings: [DrawingWarning]) {
        let engine = InkEngine(workers: 1, jail: .never)
        defer { Task { await engine.shutDown() } }
        return try await engine.load(InkDocument(Data(text.utf8)))
    }

    @Test("A 64-bit seed, and the lists of version 0.5")
    func seedsAndLists() async throws {
        let shape = """
            {"shapestroke":{"shape":{"rect":{"cuboid":{"half_extents":[96,48]},"transform":{"affine":[1,0,0,0,1,0,480,480,1]}}},
            "style":{"rough":{"stroke_width":4,"stroke_color":\(Self.black),"seed":12126857806287394736}}}}
            """
        let rectangle = try #require(try await load(Self.file([shape])).ink.pages[0].strokes.first)
        #expect(rectangle.points.map(\.x).max() == 432 && rectangle.points.map(\.y).min() == 324)
        #expect(rectangle.points.first?.x == rectangle.points.last?.x)
        let old = """
            {"data":{"document":{"format":{"width":960,"height":960,"dpi":96}},"store_snapshot":{"stroke_components":[{"value":
            {"brushstroke":{"path":[{"dot":{"element":{"pos":[96,96],"pressure":0.5}}},{"line":{"start":{"pos":[96,96],"pressure":0.5},
            "end":{"pos":[192,96],"pressure":0.5}}}],"style":{"smooth":{"stroke_width":6}}}}}]}}}
            """
        let stroke = try #require(try await load(old).ink.pages[0].strokes.first)
        #expect(stroke.points.map(\.x) == [72, 144])
    }

    @Test("Endless paper has a page wherever there is ink, and a stroke across an edge is on both pages")
    func endlessPaper() async throws {
        let strokes = [
            Self.line(100, 100, 300, 100), Self.line(-400, 200, -200, 200), Self.line(100, -300, 300, -300),
            Self.line(1100, 900, 1100, 1000),
        ]
        let paper = #""x":-960,"y":-960,"width":3840,"height":3840,"layout":"infinite""#
        let pages = try await load(Self.file(strokes, paper: paper)).ink.pages
        // Row by row: above, left, centre, right, and below that on the right.
        #expect(pages.map(\.strokes.count) == [1, 1, 1, 1, 1])
        #expect(pages[0].strokes[0].points[0].y == 495 && pages[1].strokes[0].points[0].x == 420)
        #expect(pages[3].strokes[0].points.map(\.y) == [675, 750] && pages[4].strokes[0].points.map(\.y) == [-45, 30])
    }

    @Test("Strokes are drawn in their order, and curves follow their control points")
    func orderAndCurves() async throws {
        let curve = """
            {"brushstroke":{"path":{"start":{"pos":[0,0],"pressure":0.5},"segments":[{"quadbezto":{"cp":[480,960],
            "end":{"pos":[960,0],"pressure":0.5}}}]},"style":\(Self.style())}}
            """
        let times = ["{\"t\":7,\"layer\":\"user-layer-0\"}", "{\"t\":3,\"layer\":\"user-layer-0\"}"]
        let strokes = try await load(Self.file([curve, Self.line(0, 10, 90, 10)], times: times)).ink.pages[0].strokes
        #expect(strokes.count == 2)
        #expect(strokes[0].points.count == 2)
        // A curve's midpoint is half as far away as its control point.
        #expect(abs((strokes[1].points.map(\.y).max() ?? 0) - 360) < 1)
    }

    @Test("Paper, shapes, texts and images; a warning names anything that cannot be drawn")
    func paperAndOthers() async throws {
        let pixels = Data([255, 0, 0, 255, 0, 0, 255, 255]).base64EncodedString()
        let at = { (x: Int, y: Int) in #"{"affine":[1,0,0,0,1,0,\#(x),\#(y),1]}"# }
        let strokes = [
            """
            {"shapestroke":{"shape":{"ellipse":{"radii":[48,48],"transform":\(at(480, 480))}},
            "style":\(Self.style(fill: #"{"r":1,"g":0,"b":0,"a":1}"#))}}
            """,
            """
            {"textstroke":{"text":"one two three","transform":\(at(96, 96)),"text_style":{"font_family":"sans","font_size":32,
            "color":\(Self.black),"max_width":100}}}
            """,
            """
            {"bitmapimage":{"image":{"data":"\(pixels)","pixel_width":2,"pixel_height":1},
            "rectangle":{"cuboid":{"half_extents":[48,48]},"transform":\(at(480, 96))}}}
            """,
            #"{"vectorimage":{"svg_data":"<svg/>"}}"#,
        ]
        let background = """
            {"color":{"r":0.1,"g":0.1,"b":0.1,"a":1},"pattern":"grid","pattern_size":[32,32],
            "pattern_color":{"r":1,"g":0,"b":0,"a":1}}
            """
        let (ink, warnings) = try await load(Self.file(strokes, background: background))
        let page = ink.pages[0]
        #expect(page.background == .paper(InkColor(red: 26, green: 26, blue: 26), .graph))
        #expect(page.rulingSpacing == 24 && page.rulingColors.linesOnDark == InkColor(red: 255, green: 0, blue: 0))
        #expect(page.strokes.map(\.fill) == [255, 0])
        let texts = page.layers[0].items.compactMap { if case .text(let text) = $0 { text } else { nil } }
        #expect(texts.count == 3 && texts.allSatisfy { $0.x == 72 } && texts[0].y < texts[1].y)
        let image = page.layers[0].items.compactMap { if case .image(let image) = $0 { image } else { nil } }
        #expect(image.map(\.left) == [324] && image.map(\.right) == [396])
        #expect(warnings.map(\.code) == [.inkElementsIgnored])
    }
}
