import Foundation

/// Writes InkML, the W3C's format. Pages are stored as annotations, which Offstage reads; other programs see all
/// traces.
public struct InkMLWriter {
    private var text = TextBytes()
    private var losses: Set<InkLoss> = []

    /// Writes a document.
    ///
    /// - Returns: the file; the same ink gives the same bytes.
    public static func file(_ ink: Ink) -> InkFileBytes {
        var writer = InkMLWriter()
        writer.write(ink)
        return InkFileBytes(data: writer.text.data, losses: writer.losses.sorted())
    }

    private mutating func write(_ ink: Ink) {
        text.add(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ink xmlns=\"http://www.w3.org/2003/InkML\">\n<definitions>\n")
        text.add("<context xml:id=\"pen\"><inkSource xml:id=\"source\"><traceFormat>\n")
        text.add(
            "<channel name=\"X\" type=\"decimal\" units=\"pt\"/><channel name=\"Y\" type=\"decimal\" units=\"pt\"/>")
        text.add("<channel name=\"F\" type=\"decimal\"/><channel name=\"T\" type=\"decimal\" units=\"s\"/>")
        text.add(
            "<channel name=\"OE\" type=\"decimal\" units=\"rad\"/><channel name=\"OA\" type=\"decimal\" units=\"rad\"/>\n"
        )
        text.add("</traceFormat></inkSource></context>\n")
        var brushes: [String: Int] = [:]
        var order: [String] = []
        var images: Set<UInt64> = []
        for stroke in ink.pages.flatMap(\.strokes) {
            let brush = brush(of: stroke)
            if brushes[brush] == nil {
                brushes[brush] = order.count
                // Each image is stored in the first brush that uses it.
                let image = stroke.texture?.image.flatMap { images.insert($0.identity).inserted ? $0 : nil }
                let property = image.map { "<brushProperty name=\"textureImage\" value=\"\($0.text)\"/>" }
                order.append(brush + (property ?? ""))
            }
        }
        for (index, brush) in order.enumerated() { text.add("<brush xml:id=\"b\(index)\">\(brush)</brush>\n") }
        text.add("</definitions>\n")
        for page in ink.pages {
            text.add("<annotation type=\"page\">")
            text.add(page.width, decimals: 5)
            text.add(UInt8(ascii: " "))
            text.add(page.height, decimals: 5)
            text.add("</annotation>\n")
            if page.background != .paper(.white, .plain) { losses.insert(.ruling) }
            if page.layers.count > 1 { losses.insert(.layers) }
            for item in page.layers.flatMap(\.items) {
                switch item {
                case .stroke(let stroke): write(stroke, brush: brushes[brush(of: stroke)] ?? 0)
                case .text: losses.insert(.texts)
                case .image: losses.insert(.images)
                }
            }
        }
        text.add("</ink>\n")
    }

    private func brush(of stroke: Stroke) -> String {
        var text = TextBytes()
        func property(_ name: String, _ value: String, units: String? = nil) {
            text.add("<brushProperty name=\"\(name)\" value=\"\(value)\"\(units.map { " units=\"\($0)\"" } ?? "")/>")
        }
        var width = TextBytes()
        width.add(stroke.width, decimals: 4)
        property("width", String(decoding: width.data, as: UTF8.self), units: "pt")
        var color = TextBytes()
        color.add(stroke.color, hasOpacity: false)
        property("color", String(decoding: color.data, as: UTF8.self))
        property("transparency", "\(255 - stroke.color.opacity)")
        property("tool", stroke.tool.rawValue)
        if stroke.tool == .highlighter { property("rasterOp", "maskPen") }
        if stroke.cap == .square { property("tip", "rectangle") }
        property("ignorePressure", stroke.dynamics.widthByPressure > 0 ? "false" : "true")
        func number(_ name: String, _ values: Float..., usual: Float) {
            if values == [usual] { return }
            property(name, Self.list(values))
        }
        // Offstage's own properties, which other programs ignore.
        if stroke.cap != .round { property("cap", stroke.cap.rawValue) }
        number("smoothing", stroke.smoothing, usual: 0.5)
        if stroke.dynamics.widthByPressure > 0 { number("widthPressure", stroke.dynamics.widthByPressure, usual: 1) }
        number("widthSpeed", stroke.dynamics.widthBySpeed, usual: 0)
        number("opacityPressure", stroke.dynamics.opacityByPressure, usual: 0)
        number("opacitySpeed", stroke.dynamics.opacityBySpeed, usual: 0)
        number("taperStart", stroke.taperStart, usual: 0)
        number("taperEnd", stroke.taperEnd, usual: 0)
        if !stroke.dash.isEmpty { property("dash", Self.list(stroke.dash)) }
        if stroke.fill > 0 { property("fill", "\(stroke.fill)") }
        if let texture = stroke.texture { property("texture", texture.text) }
        return String(decoding: text.data, as: UTF8.self)
    }

    private static func list(_ numbers: [Float]) -> String {
        var text = TextBytes()
        for (index, number) in numbers.enumerated() {
            if index > 0 { text.add(UInt8(ascii: " ")) }
            text.add(number, decimals: 4)
        }
        return String(decoding: text.data, as: UTF8.self)
    }

    private mutating func write(_ stroke: Stroke, brush: Int) {
        text.add("<trace contextRef=\"#pen\" brushRef=\"#b\(brush)\">")
        for (index, point) in stroke.points.enumerated() {
            if index > 0 { text.add(",") }
            let upright = Float.pi / 2 - point.tilt
            for (number, decimals) in [
                (point.x, 4), (point.y, 4), (point.pressure, 4), (point.time, 4), (upright, 4), (point.azimuth, 4),
            ] {
                text.add(UInt8(ascii: " "))
                text.add(number, decimals: decimals)
            }
        }
        text.add("</trace>\n")
    }
}
