import Foundation

/// Converts an element to an annotation.
extension XFDFElement {
    private static let kinds: [String: PageAnnotation.Kind] = [
        "text": .note, "freetext": .freeText, "highlight": .highlight, "underline": .underline,
        "squiggly": .squiggly, "strikeout": .strikeOut, "ink": .ink, "line": .line, "square": .square,
        "circle": .circle, "polygon": .polygon, "polyline": .polyLine,
    ]

    /// The element name for a kind; nil for `.other`.
    static func name(of kind: PageAnnotation.Kind) -> String? { kinds.first { $0.value == kind }?.key }

    /// Nil if the element is not a supported annotation.
    var kind: PageAnnotation.Kind? { Self.kinds[name] }

    /// True for an annotation that viewers do not show.
    var isHidden: Bool {
        let flags = (attributes["flags"] ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        return flags.contains("hidden") || flags.contains("noview")
    }

    /// - Parameter space: the element's page.
    /// - Returns: nil for unsupported kinds.
    func annotation(in space: PageSpace) throws(XFDFProblem) -> PageAnnotation? {
        guard let kind, var annotation = try shape(kind, in: space) else { return nil }
        annotation.color = try color("color") ?? Self.standard(kind)
        annotation.text = contents
        if let name = attributes["name"], !name.isEmpty { annotation.identifier = name }
        annotation.author = attributes["title"] ?? ""
        annotation.modified = attributes["date"].flatMap { Date(pdfDate: $0) }
        annotation.opacity = try number("opacity", in: 0...1) ?? 1
        let width = (try number("width", in: 0...10_000) ?? 1) * space.unit
        switch kind {
        case .freeText: try addLook(to: &annotation, width, space)
        case .note, .highlight, .underline, .squiggly, .strikeOut, .other: break
        case .ink, .line, .square, .circle, .polygon, .polyLine:
            annotation.width = width
            annotation.fill = try color("interior-color")
        }
        return annotation
    }

    /// The words of the annotation.
    private var contents: String {
        let text = texts["contents"] ?? texts["contents-richtext"] ?? attributes["contents"] ?? ""
        return text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    }

    private static func standard(_ kind: PageAnnotation.Kind) -> PageAnnotation.Color {
        [.highlight, .note].contains(kind) ? .init(red: 255, green: 220, blue: 0) : .init(red: 0, green: 0, blue: 0)
    }

    private func shape(_ kind: PageAnnotation.Kind, in space: PageSpace) throws(XFDFProblem) -> PageAnnotation? {
        switch kind {
        case .highlight, .underline, .squiggly, .strikeOut:
            return PageAnnotation.mark(kind, try marks(in: space))
        case .ink:
            var strokes: [[PageAnnotation.Point]] = []
            for gesture in gestures {
                strokes.append(try points(gesture, of: "gesture").map { space.point($0.0, $0.1) })
            }
            guard let ink = PageAnnotation.ink(strokes) else { throw wrong("inklist") }
            return ink
        case .line:
            guard let start = try numbers("start"), start.count == 2 else { throw wrong("start") }
            guard let end = try numbers("end"), end.count == 2 else { throw wrong("end") }
            return PageAnnotation.line(kind, [space.point(start[0], start[1]), space.point(end[0], end[1])])
        case .polygon, .polyLine:
            let vertices = try points(texts["vertices"] ?? attributes["vertices"] ?? "", of: "vertices")
            guard let line = PageAnnotation.line(kind, vertices.map({ space.point($0.0, $0.1) })) else {
                throw wrong("vertices")
            }
            return line
        case .note, .freeText, .square, .circle:
            return PageAnnotation(kind: kind, part: try rectangle(in: space))
        case .other: return nil
        }
    }

    private func rectangle(in space: PageSpace) throws(XFDFProblem) -> PagePart {
        guard let rect = try numbers("rect"), rect.count == 4,
            let part = space.part(around: [(rect[0], rect[1]), (rect[2], rect[3])])
        else { throw wrong("rect") }
        return part
    }

    /// Four corners for each line of marked text, in any order.
    private func marks(in space: PageSpace) throws(XFDFProblem) -> [PagePart] {
        guard let numbers = try numbers("coords") else { return [try rectangle(in: space)] }
        guard !numbers.isEmpty, numbers.count.isMultiple(of: 8) else { throw wrong("coords") }
        return stride(from: 0, to: numbers.count, by: 8).compactMap { first in
            space.part(around: (0..<4).map { (numbers[first + 2 * $0], numbers[first + 2 * $0 + 1]) })
        }
    }

    /// - Parameter key: the attribute, as `#RRGGBB`.
    private func color(_ key: String) throws(XFDFProblem) -> PageAnnotation.Color? {
        guard let text = attributes[key], !text.isEmpty else { return nil }
        guard let color = PageAnnotation.Color(hexadecimal: text) else { throw wrong(key) }
        return color
    }

    // MARK: Free text

    /// Adds the font, the colours and the box. XFDF's `color` is the fill of the box.
    private func addLook(
        to annotation: inout PageAnnotation, _ width: Double, _ space: PageSpace
    ) throws(XFDFProblem) {
        annotation.fill = try color("color")
        annotation.borderWidth = width
        let appearance = FreeTextAppearance(texts["defaultappearance"] ?? "")
        let style = FreeTextStyle(texts["defaultstyle"] ?? "")
        annotation.color = style.color ?? appearance.color ?? .init(red: 0, green: 0, blue: 0)
        let size = style.size ?? appearance.size ?? 12
        annotation.fontSize = (size > 0 ? size : 12) * space.unit
        annotation.fontFamily = PageAnnotation.family(style.family ?? appearance.font ?? "")
        switch attributes["justification"] ?? style.alignment {
        case "centered", "center": annotation.alignment = .center
        case "right": annotation.alignment = .right
        default: annotation.alignment = .left
        }
    }
}

extension PageAnnotation.Color {
    /// Nil if the text is not `#RRGGBB`.
    init?(hexadecimal text: String) {
        guard text.utf8.count == 7, text.hasPrefix("#"), text.utf8.dropFirst().allSatisfy({ $0 != UInt8(ascii: "+") }),
            let number = UInt32(text.dropFirst(), radix: 16)
        else { return nil }
        self.init(red: UInt8(number >> 16), green: UInt8(number >> 8 & 255), blue: UInt8(number & 255))
    }

    var hexadecimal: String { String(format: "#%02X%02X%02X", red, green, blue) }
}

extension PageAnnotation {
    /// The family of a viewer's font: `Helv`, `TimesNewRomanPSMT`.
    static func family(_ font: String) -> String {
        let name = font.lowercased()
        let families = [
            ("serif", ["tiro", "tibo", "tiit", "tibi", "times", "serif"]),
            ("monospace", ["cour", "cobo", "monospace"]),
            ("sans-serif", ["helv", "hebo", "arial", "sans"]),
        ]
        // Check for `sans` first: `sans-serif` contains both words.
        if name.contains("sans") { return "sans-serif" }
        if let known = families.first(where: { $0.1.contains { name.hasPrefix($0) } }) { return known.0 }
        return font.isEmpty || font.utf8.count > 255 ? "sans-serif" : font
    }
}
