import Foundation

/// Writes annotations as XFDF (ISO 19444-1).
struct XFDFWriter {
    private var text = ""
    private(set) var losses = AnnotationLosses()

    /// - Parameters:
    ///   - spaces: the spaces of all pages with annotations.
    ///   - document: the name of the document's file, for the element `f`; nil for none.
    static func write(
        _ file: AnnotationFile, _ spaces: [Int: PageSpace], document: String?
    ) -> (data: Data, losses: AnnotationLosses) {
        var writer = XFDFWriter()
        writer.text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <xfdf xmlns="http://ns.adobe.com/xfdf/" xml:space="preserve">

            """
        if let document { writer.text += "<f href=\"\(escaped(document))\"/>\n" }
        writer.text += "<annots>\n"
        for (page, annotations) in file.pages.sorted(by: { $0.key < $1.key }) {
            guard let space = spaces[page] else { continue }
            for annotation in annotations { writer.add(annotation, page, space) }
        }
        writer.text += "</annots>\n</xfdf>\n"
        return (Data(writer.text.utf8), writer.losses)
    }

    private mutating func add(_ annotation: PageAnnotation, _ page: Int, _ space: PageSpace) {
        guard let name = XFDFElement.name(of: annotation.kind) else {
            return losses.add("an annotation of an unsupported kind", page: page)
        }
        var attributes = [("page", "\(page - 1)"), ("rect", Self.list(rectangle(annotation, space)))]
        if annotation.kind != .freeText { attributes.append(("color", annotation.color.hexadecimal)) }
        if let identifier = annotation.identifier { attributes.append(("name", identifier)) }
        if !annotation.author.isEmpty { attributes.append(("title", annotation.author)) }
        if let date = annotation.modified?.pdfDate { attributes.append(("date", date)) }
        attributes.append(("flags", "print"))
        let opacity = annotation.opacity * Double(annotation.pen?.opacity ?? 255) / 255
        if opacity != 1 { attributes.append(("opacity", Self.number(opacity))) }
        let (own, inner) = shape(annotation, page, space)
        let tags = (attributes + own).map { " \($0.0)=\"\(Self.escaped($0.1))\"" }.joined()
        var content = inner
        if !annotation.text.isEmpty { content += "<contents>\(Self.escaped(annotation.text))</contents>" }
        text += content.isEmpty ? "<\(name)\(tags)/>\n" : "<\(name)\(tags)>\(content)</\(name)>\n"
    }

    /// Left, bottom, right, top. Viewers clip the annotation to it.
    private func rectangle(_ annotation: PageAnnotation, _ space: PageSpace) -> [Double] {
        // The bounds of a document's ink already include the pen.
        guard [.ink, .line, .polygon, .polyLine].contains(annotation.kind),
            let part = PagePart(around: annotation.strokes.flatMap(\.self))
        else { return space.rectangle(annotation.part) }
        let rectangle = space.rectangle(part)
        let pen = annotation.width / space.unit / 2
        return zip(rectangle, [-pen, -pen, pen, pen]).map { $0 + $1 }
    }

    /// The attributes and the elements of a kind.
    private mutating func shape(
        _ annotation: PageAnnotation, _ page: Int, _ space: PageSpace
    ) -> ([(String, String)], String) {
        var attributes = [("width", Self.number(annotation.width / space.unit))]
        if let fill = annotation.fill, annotation.kind != .freeText {
            attributes.append(("interior-color", fill.hexadecimal))
        }
        let lines = annotation.strokes.map { stroke in
            stroke.map { Self.list([space.coordinates($0).x, space.coordinates($0).y]) }
        }
        switch annotation.kind {
        case .highlight, .underline, .squiggly, .strikeOut:
            let marks = annotation.marks.isEmpty ? [annotation.part] : annotation.marks
            return ([("coords", Self.list(marks.flatMap { Self.corners($0, space) }))], "")
        case .ink:
            if annotation.pen?.widths.isEmpty == false { losses.add("the varying width of a pen", page: page) }
            if annotation.pen?.isHighlighter == true { losses.add("the blending of a highlighter", page: page) }
            let gestures = lines.map { "<gesture>\($0.joined(separator: ";"))</gesture>" }
            return (attributes, "<inklist>\(gestures.joined())</inklist>")
        case .line:
            let ends = [("start", lines.first?.first), ("end", lines.first?.last)]
            return (attributes + ends.compactMap { end in end.1.map { (end.0, $0) } }, "")
        case .polygon, .polyLine:
            return (attributes, "<vertices>\((lines.first ?? []).joined(separator: ";"))</vertices>")
        case .freeText: return Self.freeText(annotation, space)
        case .square, .circle: return (attributes, "")
        case .note, .other: return ([("icon", "Note")], "")
        }
    }

    /// The corners of a line of text in reading direction: the upper two, then the lower two.
    private static func corners(_ mark: PagePart, _ space: PageSpace) -> [Double] {
        [(mark.x, mark.y), (mark.right, mark.y), (mark.x, mark.bottom), (mark.right, mark.bottom)].flatMap {
            let place = space.coordinates(.init(x: $0.0, y: $0.1))
            return [place.x, place.y]
        }
    }

    private static func freeText(_ annotation: PageAnnotation, _ space: PageSpace) -> ([(String, String)], String) {
        let words = ["left": "left", "center": "centered", "right": "right"]
        var attributes = [
            ("width", number(annotation.borderWidth / space.unit)),
            ("justification", words[annotation.alignment.rawValue] ?? "left"),
        ]
        if let fill = annotation.fill { attributes.append(("color", fill.hexadecimal)) }
        let fonts = ["serif": "TiRo", "monospace": "Cour"]
        let size = number(annotation.fontSize / space.unit)
        let color = [annotation.color.red, annotation.color.green, annotation.color.blue].map {
            number(Double($0) / 255)
        }
        let align = annotation.alignment.rawValue
        let family = annotation.fontFamily.filter { !";:,'\"".contains($0) }
        let style = "font: \(size)pt \(family); color: \(annotation.color.hexadecimal); text-align: \(align)"
        return (
            attributes,
            "<defaultappearance>/\(fonts[annotation.fontFamily] ?? "Helv") \(size) Tf "
                + "\(color.joined(separator: " ")) rg</defaultappearance><defaultstyle>\(escaped(style))</defaultstyle>"
        )
    }

    // MARK: Text

    private static func list(_ numbers: [Double]) -> String { numbers.map(number).joined(separator: ",") }

    /// Writes a number with at most four decimals.
    private static func number(_ value: Double) -> String {
        var text = String(format: "%.4f", value.isFinite ? value : 0)
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text == "-0" ? "0" : text
    }

    /// Leaves out characters that XML does not allow.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            // In an attribute, unescaped line ends and tabs would become spaces.
            case "\n", "\t", "\r": result += "&#\(character.value);"
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }
}
