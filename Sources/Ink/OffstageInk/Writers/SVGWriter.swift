import Foundation
import Offstage

/// Writes a page as SVG, with an outline for each stroke.
public struct InkSVGWriter {
    private var text = TextBytes()
    private var losses: Set<InkLoss> = []
    private let shapes = InkShapes()

    /// Writes a page.
    ///
    /// - Parameters:
    ///   - page: the page to write.
    ///   - hasPaper: false to write only the ink. Default true.
    ///   - parts: images as pixels; see `InkEngine.parts`. Default none: formulas are left out.
    /// - Returns: the file; the same ink gives the same bytes.
    public static func file(
        _ page: InkPage, hasPaper: Bool = true, parts: InkPageParts = InkPageParts()
    ) -> InkFileBytes {
        var writer = InkSVGWriter()
        writer.write(page, hasPaper, parts)
        return InkFileBytes(data: writer.text.data, losses: writer.losses.sorted())
    }

    private mutating func write(_ page: InkPage, _ hasPaper: Bool, _ parts: InkPageParts) {
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
        for (number, item) in page.layers.flatMap(\.items).enumerated() {
            switch item {
            case .stroke(let stroke): write(stroke, isDark: page.isDark)
            case .text(let content): write(content)
            case .image(let image): write(image, parts.images[number])
            }
        }
        text.add("</svg>\n")
    }

    private mutating func writePaper(_ page: InkPage) {
        guard case .paper(let color, _) = page.background else {
            losses.insert(.backgrounds)
            return
        }
        text.add("<rect width=\"100%\" height=\"100%\" fill=\"")
        text.add(color, hasOpacity: false)
        text.add("\"/>\n")
        var last: PaperLine?
        for line in PaperLine.lines(of: page) {
            if last?.color != line.color || last?.width != line.width || last?.isRound != line.isRound {
                if last != nil { text.add("\"/>\n") }
                text.add("<path stroke-linecap=\"\(line.isRound ? "round" : "butt")\" stroke-width=\"")
                text.add(line.width)
                text.add("\" stroke=\"")
                text.add(line.color, hasOpacity: false)
                text.add("\" d=\"")
            }
            last = line
            pair("M", line.x1, line.y1)
            pair("L", line.x2, line.y2)
        }
        if last != nil { text.add("\"/>\n") }
    }

    private mutating func pair(_ command: String, _ x: Float, _ y: Float) {
        text.add(command)
        text.add(x, decimals: 2)
        text.add(UInt8(ascii: " "))
        text.add(y, decimals: 2)
    }

    private mutating func write(_ stroke: Stroke, isDark: Bool) {
        if stroke.tool == .pencil { losses.insert(.pencil) }
        if stroke.texture != nil { losses.insert(.textures) }
        if stroke.dynamics.opacityByPressure > 0 || stroke.dynamics.opacityBySpeed > 0 { losses.insert(.opacity) }
        if stroke.fill > 0, stroke.tool == .highlighter {
            // The fill and the line are one area, so that neither darkens the other.
            text.add("<g opacity=\"")
            text.add(Float(stroke.color.opacity) / 255)
            text.add("\" style=\"mix-blend-mode:\(isDark ? "screen" : "multiply")\">\n<path fill=\"")
            text.add(stroke.color, hasOpacity: false)
            text.add("\" d=\"")
            polygon(of: stroke)
            text.add("\"/>\n<path fill=\"")
            text.add(stroke.color, hasOpacity: false)
            text.add("\" d=\"")
            for outline in shapes.outlines(of: stroke) { write(outline) }
            text.add("\"/>\n</g>\n")
            return
        }
        if stroke.fill > 0 {
            begin(stroke, opacity: stroke.fill, isDark)
            polygon(of: stroke)
            text.add("\"/>\n")
        }
        begin(stroke, opacity: stroke.color.opacity, isDark)
        for outline in shapes.outlines(of: stroke) { write(outline) }
        text.add("\"/>\n")
    }

    private mutating func polygon(of stroke: Stroke) {
        for (index, node) in shapes.raster.nodes(of: stroke, scale: 2).enumerated() {
            pair(index == 0 ? "M" : "L", node.x, node.y)
        }
        text.add("Z")
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

    /// Uses differences in hundredths of a point, which are short.
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
            // A flat end is simply the line that closes the part.
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

    private mutating func write(_ image: InkImage, _ pixmap: Pixmap?) {
        var (data, type) = (image.data, image.mediaType)
        if type == "application/pdf" {
            guard let png = pixmap.flatMap({ try? PNGEncoder(level: 6).encode($0, scale: 1) }) else {
                losses.insert(.formulas)
                return
            }
            (data, type) = (png, "image/png")
        }
        let (width, height) = (image.right - image.left, image.bottom - image.top)
        text.add("<image preserveAspectRatio=\"none\"")
        if width < 0 || height < 0 {
            text.add(" transform=\"translate(")
            text.add(width < 0 ? image.left + image.right : 0)
            text.add(UInt8(ascii: " "))
            text.add(height < 0 ? image.top + image.bottom : 0)
            text.add(") scale(\(width < 0 ? -1 : 1) \(height < 0 ? -1 : 1))\"")
        }
        for (name, value) in [
            ("x", min(image.left, image.right)), ("y", min(image.top, image.bottom)), ("width", abs(width)),
            ("height", abs(height)),
        ] {
            text.add(" \(name)=\"")
            text.add(value)
            text.add("\"")
        }
        text.add(" href=\"data:\(type);base64,\(data.base64EncodedString())\"/>\n")
    }
}

/// Writes points as differences in hundredths, without accumulating rounding errors.
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

    /// A minus sign also separates numbers.
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
