import COffstageDeflate
import Foundation
import Offstage

/// Writes PDF documents with strokes as outlines, so that they are sharp at any size, and with the words of texts.
public struct InkPDFWriter {
    /// The form of the strokes in the file.
    public enum Style: String, Sendable, CaseIterable {
        /// As page content. The default.
        case flat
        /// As Ink annotations with appearances, which other programs can show, change and remove.
        case annotations
    }

    private var document = PDFBytes()
    private var losses: Set<InkLoss> = []
    private let shapes = InkShapes()
    private var words = PDFTextLayer()

    /// Writes a document.
    ///
    /// - Parameters:
    ///   - ink: the document.
    ///   - style: default flat.
    ///   - backdrops: pictures of the backgrounds in other files, by page index, from 0. Default none: they are left
    ///     out.
    ///   - parts: letters and images, by page index, from 0; see `InkEngine.parts`. Default none: texts and images are
    ///     left out.
    /// - Returns: the file; the same ink gives the same bytes.
    public static func file(
        _ ink: Ink, style: Style = .flat, backdrops: [Int: Pixmap] = [:], parts: [Int: InkPageParts] = [:]
    ) -> InkFileBytes {
        var writer = InkPDFWriter()
        writer.write(ink, style, backdrops, parts)
        return InkFileBytes(data: writer.document.finished, losses: writer.losses.sorted())
    }

    private mutating func write(_ ink: Ink, _ style: Style, _ backdrops: [Int: Pixmap], _ parts: [Int: InkPageParts]) {
        // Object 1 is the catalog, object 2 the list of pages.
        let first = document.reserve(2)
        var pages: [Int] = []
        for (index, page) in ink.pages.enumerated() {
            pages.append(
                write(page, style, backdrops[index], parts[index] ?? InkPageParts(), parent: first + 1))
        }
        words.finish(&document)
        document.add(first, "<</Type/Catalog/Pages \(first + 1) 0 R>>")
        let kids = pages.map { "\($0) 0 R" }.joined(separator: " ")
        document.add(first + 1, "<</Type/Pages/Count \(pages.count)/Kids[\(kids)]>>")
    }

    private mutating func write(
        _ page: InkPage, _ style: Style, _ backdrop: Pixmap?, _ parts: InkPageParts, parent: Int
    ) -> Int {
        var content = PDFContent(height: page.height)
        if let backdrop {
            content.add(
                picture: document.addImage(backdrop), left: 0, top: 0, right: page.width, bottom: page.height)
        } else {
            writePaper(page, &content)
        }
        var annotations: [Int] = []
        for (number, item) in page.layers.flatMap(\.items).enumerated() {
            switch item {
            case .text(let text):
                if let letters = parts.letters[number] {
                    content.add(letters)
                    for line in words.lines(of: text, over: letters, in: &document) { content.add(line) }
                } else if text.text.contains(where: { !$0.isWhitespace }) {
                    losses.insert(.texts)
                }
            case .image(let image):
                if let pixmap = parts.images[number] {
                    content.add(
                        picture: document.addImage(pixmap), left: image.left, top: image.top, right: image.right,
                        bottom: image.bottom)
                } else {
                    losses.insert(image.mediaType == "application/pdf" ? .formulas : .images)
                }
            case .stroke(let stroke):
                note(stroke)
                if style == .flat {
                    draw(stroke, page.isDark, into: &content)
                } else if let annotation = annotate(stroke, page) {
                    annotations.append(annotation)
                }
            }
        }
        let number = document.reserve(2)
        document.addStream(number + 1, "", content.data)
        let list = annotations.isEmpty ? "" : "/Annots[\(annotations.map { "\($0) 0 R" }.joined(separator: " "))]"
        document.add(
            number,
            "<</Type/Page/Parent \(parent) 0 R/MediaBox[0 0 \(PDFBytes.text(page.width)) \(PDFBytes.text(page.height))]"
                + "/Group<</S/Transparency/CS/DeviceRGB>>/Resources<<\(content.resources)>>"
                + "/Contents \(number + 1) 0 R\(list)>>")
        return number
    }

    private mutating func note(_ stroke: Stroke) {
        if stroke.tool == .pencil { losses.insert(.pencil) }
        if stroke.texture != nil { losses.insert(.textures) }
        if stroke.dynamics.opacityByPressure > 0 || stroke.dynamics.opacityBySpeed > 0 { losses.insert(.opacity) }
    }

    private mutating func writePaper(_ page: InkPage, _ content: inout PDFContent) {
        guard case .paper(let color, _) = page.background else {
            losses.insert(.backgrounds)
            return
        }
        content.addRectangle(width: page.width, height: page.height, color)
        for line in PaperLine.lines(of: page) { content.add(line) }
    }

    private mutating func draw(_ stroke: Stroke, _ isDark: Bool, into content: inout PDFContent) {
        let blend = stroke.tool != .highlighter ? "Normal" : isDark ? "Screen" : "Multiply"
        if stroke.fill > 0, stroke.tool == .highlighter, let box = stroke.bounds?.grown(by: 1) {
            // The fill and the line are one area, so that neither darkens the other.
            var area = PDFContent()
            area.begin(stroke.color)
            area.addPolygon(shapes.raster.nodes(of: stroke, scale: 2))
            area.fill()
            for outline in shapes.outlines(of: stroke) { area.add(outline) }
            area.fill()
            let form = document.reserve(1)
            let rectangle = [box.left, box.top, box.right, box.bottom].map(PDFBytes.text).joined(separator: " ")
            document.addStream(
                form, "/Type/XObject/Subtype/Form/BBox[\(rectangle)]/Group<</S/Transparency/CS/DeviceRGB>>", area.data)
            content.begin(stroke.color, opacity: stroke.color.opacity, blend: blend)
            content.draw(form)
            return
        }
        if stroke.fill > 0 {
            content.begin(stroke.color, opacity: stroke.fill, blend: blend)
            content.addPolygon(shapes.raster.nodes(of: stroke, scale: 2))
            content.fill()
        }
        content.begin(stroke.color, opacity: stroke.color.opacity, blend: blend)
        for outline in shapes.outlines(of: stroke) { content.add(outline) }
        content.fill()
    }

    private mutating func annotate(_ stroke: Stroke, _ page: InkPage) -> Int? {
        guard let box = stroke.bounds?.grown(by: 1) else { return nil }
        var content = PDFContent(height: page.height)
        draw(stroke, page.isDark, into: &content)
        let number = document.reserve(2)
        // In the page's axes, y upwards.
        let rectangle = [box.left, page.height - box.bottom, box.right, page.height - box.top].map(PDFBytes.text)
            .joined(separator: " ")
        document.addStream(
            number + 1,
            "/Type/XObject/Subtype/Form/BBox[\(rectangle)]/Group<</S/Transparency>>/Resources<<\(content.resources)>>",
            content.data)
        let places = stroke.points.map { "\(PDFBytes.text($0.x)) \(PDFBytes.text(page.height - $0.y))" }
        let share = stroke.dynamics.widthByPressure
        // For readers that support it, because the standard allows only one width.
        let own = share > 0 ? stroke.points.map { stroke.width * (1 - share + share * $0.pressure) } : []
        let widths = own.map(PDFBytes.text)
        let entry = widths.isEmpty ? "" : "/OFST_Widths[[\(widths.joined(separator: " "))]]"
        let color = [stroke.color.red, stroke.color.green, stroke.color.blue].map { PDFBytes.text(Float($0) / 255) }
        document.add(
            number,
            "<</Type/Annot/Subtype/Ink/F 4/Rect[\(rectangle)]/InkList[[\(places.joined(separator: " "))]]\(entry)"
                + "/C[\(color.joined(separator: " "))]/CA \(PDFBytes.text(Float(stroke.color.opacity) / 255))"
                + "/Border[0 0 \(PDFBytes.text(stroke.width))]/BS<</W \(PDFBytes.text(stroke.width))>>/AP<</N \(number + 1) 0 R>>>>"
        )
        return number
    }
}

/// The operators of a page, with its upper left corner as the origin.
private struct PDFContent {
    private var text = TextBytes()
    private var names: [String: String] = [:]
    private var order: [(name: String, dictionary: String)] = []
    private var objects: [Int] = []
    private var fonts: Set<Int> = []

    /// Begins operators that are nested in others and have the same origin.
    init() {}

    init(height: Float) {
        numbers(1, 0, 0, -1, 0, height)
        text.add("cm\n")
    }

    var data: Data { text.data }

    /// The graphics states and objects that the operators use.
    var resources: String {
        let states = order.map { "/\($0.name)\($0.dictionary)" }.joined()
        let names = objects.map { "/X\($0) \($0) 0 R" }.joined()
        let fonts = fonts.sorted().map { "/T\($0) \($0) 0 R" }.joined()
        return (states.isEmpty ? "" : "/ExtGState<<\(states)>>") + (names.isEmpty ? "" : "/XObject<<\(names)>>")
            + (fonts.isEmpty ? "" : "/Font<<\(fonts)>>")
    }

    private mutating func numbers(_ values: Float...) {
        for value in values {
            text.add(value, decimals: 2)
            text.add(UInt8(ascii: " "))
        }
    }

    mutating func begin(_ color: InkColor, opacity: UInt8, blend: String) {
        let dictionary = "<</ca \(PDFBytes.text(Float(opacity) / 255))/BM/\(blend)>>"
        let name = names[dictionary] ?? "S\(names.count)"
        if names[dictionary] == nil { order.append((name, dictionary)) }
        names[dictionary] = name
        text.add("/\(name) gs ")
        set(color, "rg")
    }

    /// Sets the colour but no graphics state, for a part of a group.
    mutating func begin(_ color: InkColor) { set(color, "rg") }

    private mutating func set(_ color: InkColor, _ command: String) {
        for byte in [color.red, color.green, color.blue] {
            text.add(Float(byte) / 255, decimals: 4)
            text.add(UInt8(ascii: " "))
        }
        text.add("\(command)\n")
    }

    mutating func fill() { text.add("f\n") }

    mutating func addRectangle(width: Float, height: Float, _ color: InkColor) {
        set(color, "rg")
        numbers(0, 0, width, height)
        text.add("re f\n")
    }

    /// Draws a picture object in the box. Mirrors it if the box's right edge is left of its left one.
    mutating func add(picture: Int, left: Float, top: Float, right: Float, bottom: Float) {
        begin(.black, opacity: 255, blend: "Normal")
        text.add("q ")
        numbers(right - left, 0, 0, top - bottom, left, bottom)
        text.add("cm ")
        draw(picture)
        text.add("Q\n")
    }

    /// Draws an object with the current graphics state.
    mutating func draw(_ object: Int) {
        if !objects.contains(object) { objects.append(object) }
        text.add("/X\(object) Do\n")
    }

    mutating func add(_ letters: InkLetters) {
        begin(letters.color, opacity: letters.color.opacity, blend: "Normal")
        for outline in letters.outlines {
            for (index, place) in outline.enumerated() {
                numbers(place.x, place.y)
                text.add(index == 0 ? "m\n" : "l\n")
            }
            text.add("h\n")
        }
        fill()
    }

    /// Adds a line of invisible words. The page's y axis points downwards, that of a font upwards.
    mutating func add(_ line: PDFTextLayer.Line) {
        text.add("BT 3 Tr ")
        numbers(line.letterWidth, 0, 0, -line.height, line.x, line.y)
        text.add("Tm")
        for (font, codes) in line.runs {
            fonts.insert(font)
            text.add(" /T\(font) 1 Tf <")
            for code in codes {
                let digits = Array("0123456789ABCDEF".utf8)
                text.add(digits[Int(code >> 4)])
                text.add(digits[Int(code & 15)])
            }
            text.add("> Tj")
        }
        text.add(" ET\n")
    }

    mutating func add(_ line: PaperLine) {
        set(line.color, "RG")
        text.add(line.isRound ? "1 J " : "0 J ")
        numbers(line.width)
        text.add("w ")
        numbers(line.x1, line.y1)
        text.add("m ")
        numbers(line.x2, line.y2)
        text.add("l S\n")
    }

    mutating func addPolygon(_ nodes: [InkNode]) {
        for (index, node) in nodes.enumerated() {
            numbers(node.x, node.y)
            text.add(index == 0 ? "m\n" : "l\n")
        }
        if !nodes.isEmpty { text.add("h\n") }
    }

    mutating func add(_ outline: StrokeOutline) {
        for part in outline.parts {
            guard let first = part.left.first, let end = part.left.last, let last = part.right.last,
                let start = part.right.first
            else { continue }
            numbers(first.x, first.y)
            text.add("m\n")
            for place in part.left.dropFirst() { line(place) }
            if part.hasRoundEnd { halfCircle(from: end, to: last) } else { line(last) }
            for place in part.right.dropLast().reversed() { line(place) }
            // A flat end is simply the line that closes the part.
            if part.hasRoundStart { halfCircle(from: start, to: first) }
            text.add("h\n")
        }
        for dot in outline.dots {
            let (left, right) = (
                StrokeOutline.Place(x: dot.x - dot.radius, y: dot.y),
                StrokeOutline.Place(x: dot.x + dot.radius, y: dot.y)
            )
            numbers(left.x, left.y)
            text.add("m\n")
            halfCircle(from: left, to: right)
            halfCircle(from: right, to: left)
            text.add("h\n")
        }
    }

    private mutating func line(_ place: StrokeOutline.Place) {
        numbers(place.x, place.y)
        text.add("l\n")
    }

    /// The arc is on the side towards which the line runs.
    private mutating func halfCircle(from a: StrokeOutline.Place, to b: StrokeOutline.Place) {
        let (cx, cy) = ((a.x + b.x) / 2, (a.y + b.y) / 2)
        let (ux, uy) = (a.x - cx, a.y - cy)
        let (ox, oy) = (uy, -ux)
        let k: Float = 0.5523
        numbers(a.x + k * ox, a.y + k * oy, cx + ox + k * ux, cy + oy + k * uy, cx + ox, cy + oy)
        text.add("c\n")
        numbers(cx + ox - k * ux, cy + oy - k * uy, b.x + k * ox, b.y + k * oy, b.x, b.y)
        text.add("c\n")
    }
}
