import Foundation

/// Writes a page as SVG, with an outline for each stroke.
public struct InkSVGWriter {
    private var text = TextBytes()
    private var losses: Set<InkLoss> = []
    private let shapes = InkShapes()

    /// Writes a page.
    ///
    /// - Parameters:
    ///   - page: to write.
    ///   - hasPaper: false for the ink alone. Default true.
    /// - Returns: the file; the same ink gives the same bytes.
    public static func file(_ page: InkPage, hasPaper: Bool = true) -> InkFileBytes {
        var writer = InkSVGWriter()
        writer.write(page, hasPaper)
        return InkFileBytes(data: writer.text.data, losses: writer.losses.sorted())
    }

    private mutating func write(_ page: InkPage, _ hasPaper: Bool) {
        text.add("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"")
        text.add(page.width)
        text.add("pt\" height=\"")
        text.add(page.height)
        text.add("pt\" viewBox=\"0 0 ")
        text.add(page.width)
        text.add(UInt8(ascii: " "))
        text.add(page.height)
        text.add("\">\n")
        if hasPaper { writePaper(page) }
        for item in page.layers.flatMap(\.items) {
            switch item {
            case .stroke(let stroke): write(stroke, isDark: page.isDark)
            case .text(let content): write(content)
            case .image(let image): write(image)
            }
        }
        text.add("</svg>\n")
    }

    private mutating func writePaper(_ page: InkPage) {
        guard case .paper(let color, let ruling) = page.background else {
            losses.insert(.backgrounds)
            return
        }
        if ruling == .isometricGraph || ruling == .isometricDotted { losses.insert(.ruling) }
        text.add("<rect width=\"100%\" height=\"100%\" fill=\"")
        text.add(color, hasOpacity: false)
        text.add("\"/>\n")
        let lines = Dictionary(grouping: InkShapes.lines(of: page), by: \.color)
        for color in lines.keys.sorted(by: { $0.red < $1.red }) {
            guard let first = lines[color]?.first else { continue }
            text.add("<path stroke-linecap=\"round\" stroke-width=\"")
            text.add(first.width)
            text.add("\" stroke=\"")
            text.add(color, hasOpacity: false)
            text.add("\" d=\"")
            for line in lines[color] ?? [] {
                pair("M", line.x1, line.y1)
                pair("L", line.x2, line.y2)
            }
            text.add("\"/>\n")
        }
    }

    private mutating func pair(_ command: String, _ x: Float, _ y: Float) {
        text.add(command)
        text.add(x, decimals: 2)
        text.add(UInt8(ascii: " "))
        text.add(y, decimals: 2)
    }

    private mutating func write(_ stroke: Stroke, isDark: Bool) {
        if stroke.tool == .pencil { losses.insert(.pencil) }
        if stroke.dynamics.opacityByPressure > 0 || stroke.dynamics.opacityBySpeed > 0 { losses.insert(.opacity) }
        if stroke.fill > 0, stroke.tool != .highlighter {
            begin(stroke, opacity: stroke.fill, isDark)
            for (index, node) in shapes.raster.nodes(of: stroke, scale: 2).enumerated() {
                pair(index == 0 ? "M" : "L", node.x, node.y)
            }
            text.add("Z\"/>\n")
        }
        begin(stroke, opacity: stroke.color.opacity, isDark)
        for outline in shapes.outlines(of: stroke) { write(outline) }
        text.add("\"/>\n")
    }

    private mutating func begin(_ stroke: Stroke, opacity: UInt8, _ isDark: Bool) {
        text.add("<path fill=\"")
        text.add(stroke.color, hasOpacity: false)
        if opacity < 255 {
            text.add("\" fill-opacity=\"")
            text.add(Float(opacity) / 255)
        }
        if stroke.tool == .highlighter {
            text.add("\" style=\"mix-blend-mode:\(isDark ? "screen" : "multiply")")
        }
        text.add("\" d=\"")
    }

    /// With differences of hundredths of a point, which are short.
    private mutating func write(_ outline: StrokeOutline) {
        for part in outline.parts {
            guard let first = part.left.first, let last = part.right.last else { continue }
            var pen = RelativePen()
            pair("M", first.x, first.y)
            pen.move(first)
            text.add("l")
            for place in part.left.dropFirst() { pen.step(to: place, &text) }
            if part.hasRoundEnd {
                arc(part.endRadius, to: last, &pen)
                text.add("l")
            } else {
                pen.step(to: last, &text)
            }
            for place in part.right.dropLast().reversed() { pen.step(to: place, &text) }
            // A flat end is the line that closes the part.
            if part.hasRoundStart { arc(part.startRadius, to: first, &pen) }
            text.add("Z")
        }
        for dot in outline.dots {
            var pen = RelativePen()
            let (left, right) = (
                StrokeOutline.Place(x: dot.x - dot.radius, y: dot.y),
                StrokeOutline.Place(x: dot.x + dot.radius, y: dot.y)
            )
            pair("M", left.x, left.y)
            pen.move(left)
            arc(dot.radius, to: right, &pen)
            arc(dot.radius, to: left, &pen)
            text.add("Z")
        }
    }

    private mutating func arc(_ radius: Float, to place: StrokeOutline.Place, _ pen: inout RelativePen) {
        text.add("a")
        text.add(radius, decimals: 2)
        text.add(UInt8(ascii: " "))
        text.add(radius, decimals: 2)
        text.add(" 0 0 0")
        pen.step(to: place, &text)
    }

    private mutating func write(_ content: InkText) {
        text.add("<text xml:space=\"preserve\" x=\"")
        text.add(content.x)
        text.add("\" y=\"")
        text.add(content.y + content.size)
        text.add("\" font-size=\"")
        text.add(content.size)
        text.add("\" font-family=\"")
        text.add(escaped: content.font)
        text.add("\" fill=\"")
        text.add(content.color, hasOpacity: false)
        text.add("\">")
        for (index, line) in content.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            text.add("<tspan x=\"")
            text.add(content.x)
            text.add("\" dy=\"")
            text.add(index == 0 ? 0 : content.size * 1.25)
            text.add("\">")
            text.add(escaped: String(line))
            text.add("</tspan>")
        }
        text.add("</text>\n")
    }

    private mutating func write(_ image: InkImage) {
        text.add("<image preserveAspectRatio=\"none\" x=\"")
        text.add(image.left)
        text.add("\" y=\"")
        text.add(image.top)
        text.add("\" width=\"")
        text.add(image.right - image.left)
        text.add("\" height=\"")
        text.add(image.bottom - image.top)
        text.add("\" href=\"data:image/png;base64,\(image.data.base64EncodedString())\"/>\n")
    }
}

/// Writes places as differences in hundredths, without adding up the rounding.
private struct RelativePen {
    private var x = 0
    private var y = 0

    private static func hundredths(_ value: Float) -> Int {
        let scaled = (Double(value) * 100).rounded()
        return abs(scaled) < 1e12 ? Int(scaled) : 0
    }

    mutating func move(_ place: StrokeOutline.Place) { (x, y) = (Self.hundredths(place.x), Self.hundredths(place.y)) }

    mutating func step(to place: StrokeOutline.Place, _ text: inout TextBytes) {
        let (nx, ny) = (Self.hundredths(place.x), Self.hundredths(place.y))
        add(nx - x, &text)
        add(ny - y, &text)
        (x, y) = (nx, ny)
    }

    /// A minus separates numbers, too.
    private func add(_ difference: Int, _ text: inout TextBytes) {
        if difference >= 0 { text.add(UInt8(ascii: " ")) } else { text.add(UInt8(ascii: "-")) }
        let value = abs(difference)
        if value >= 100 || value == 0 { text.add(integer: value / 100) }
        let rest = value % 100
        if rest == 0 { return }
        text.add(UInt8(ascii: "."))
        text.add(UInt8(ascii: "0") + UInt8(rest / 10))
        if rest % 10 > 0 { text.add(UInt8(ascii: "0") + UInt8(rest % 10)) }
    }
}
