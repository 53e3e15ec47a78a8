import COffstagePages
import Foundation

/// The wire format of annotations, to and from the worker. Every number from the worker is checked.
extension PageAnnotation {
    private static let side = Double(OFFSTAGE_PAGES_WORD_SIDE)

    private static func place(_ value: Double) -> Int32 {
        Int32(clamping: Int((min(max(value.isNaN ? 0 : value, -100), 100) * side).rounded()))
    }

    private static func value(_ place: Int32) -> Double { Double(place) / side }

    /// - Parameter points: at most 1,000.
    private static func thousandths(_ points: Double, _ missing: Double) -> UInt32 {
        UInt32((min(max(points.isNaN ? missing : points, 0), 1_000) * 1_000).rounded())
    }

    /// PDFium's numbers for the standard's subtypes; 0 for the kind `.other`.
    private var number: UInt32 {
        switch kind {
        case .note: 1
        case .freeText: 3
        case .line: 4
        case .square: 5
        case .circle: 6
        case .polygon: 7
        case .polyLine: 8
        case .highlight: 9
        case .underline: 10
        case .squiggly: 11
        case .strikeOut: 12
        case .ink: 15
        case .other: 0
        }
    }

    private static let kinds: [UInt32: Kind] = [
        1: .note, 3: .freeText, 4: .line, 5: .square, 6: .circle, 7: .polygon, 8: .polyLine, 9: .highlight,
        10: .underline, 11: .squiggly, 12: .strikeOut, 15: .ink,
    ]

    /// The wire form for a drawing of the annotation's page; nil for the kind `.other`.
    var wire: Data? { kind == .other ? nil : wire(page: 0, identifier: identifier ?? "") }

    /// - Parameters:
    ///   - page: from 0.
    ///   - identifier: replaces the annotation's own.
    func wire(page: Int, identifier: String) -> Data {
        let strokes =
            kind.isMark ? marks.map { [Point(x: $0.x, y: $0.y), Point(x: $0.right, y: $0.bottom)] } : strokes
        // If the file was edited by hand, the number of widths may be wrong.
        let widths = kind == .ink ? pen?.widths.flatMap(\.self) ?? [] : []
        let varies = !widths.isEmpty && pen?.widths.map(\.count) == self.strokes.map(\.count)
        let family = fontFamily == "sans-serif" ? "" : fontFamily
        let texts = [identifier, author, modified?.pdfDate ?? "", family, text].map { Data($0.utf8) }
        var head = offstage_pages_annotation()
        head.kind = number
        head.page = UInt32(clamping: page)
        head.color = color.number
        head.fill = fill?.number ?? 0
        head.opacity = UInt32((min(max(opacity.isNaN ? 1 : opacity, 0), 1) * Double(OFFSTAGE_PAGES_OPAQUE)).rounded())
        head.width = Self.thousandths(width, 1)
        head.border = Self.thousandths(borderWidth, 0)
        head.font_size = Self.thousandths(fontSize, 12)
        head.alignment = alignment == .left ? 0 : alignment == .center ? 1 : 2
        if kind == .ink, let pen {
            head.color = head.color & 0xFF_FFFF | UInt32(pen.opacity) << 24
            head.pen =
                (varies ? OFFSTAGE_PAGES_WIDTHS.rawValue : 0) | (pen.isHighlighter ? OFFSTAGE_PAGES_MARKS.rawValue : 0)
        }
        head.box = (Self.place(part.x), Self.place(part.y), Self.place(part.right), Self.place(part.bottom))
        head.stroke_count = UInt32(clamping: strokes.count)
        let points = strokes.flatMap(\.self)
        head.point_count = UInt32(clamping: points.count)
        let sizes = texts.map { UInt32(clamping: $0.count) }
        (head.identifier_size, head.author_size, head.modified_size) = (sizes[0], sizes[1], sizes[2])
        (head.family_size, head.text_size) = (sizes[3], sizes[4])
        var data = withUnsafeBytes(of: &head) { Data($0) }
        data.append(numbers: strokes.map { UInt32($0.count) })
        data.append(numbers: points.flatMap { [Self.place($0.x), Self.place($0.y)] })
        if varies { data.append(numbers: widths.map { Self.thousandths($0, 1) }) }
        for text in texts { data.append(text) }
        data.pad()
        return data
    }

    /// The record that deletes an annotation of the document.
    ///
    /// - Parameter page: from 0.
    static func removal(of identifier: String, page: Int) -> Data {
        var head = offstage_pages_annotation()
        head.kind = UInt32(OFFSTAGE_PAGES_REMOVED)
        head.page = UInt32(clamping: page)
        head.identifier_size = UInt32(clamping: identifier.utf8.count)
        var data = withUnsafeBytes(of: &head) { Data($0) }
        data.append(contentsOf: identifier.utf8)
        data.pad()
        return data
    }

    /// An annotation listed by a worker.
    struct Listed {
        var annotation: PageAnnotation
        /// From 0.
        var page: Int
        /// The standard's subtype.
        var number: UInt32
        /// True if viewers do not show it.
        var isHidden: Bool
    }

    /// Reads a list; nil if the bytes are not one.
    static func list(wire: Data) -> [Listed]? {
        var (rest, found) = (wire[...], [Listed]())
        while !rest.isEmpty {
            guard let listed = Self.first(of: &rest) else { return nil }
            found.append(listed)
        }
        return found
    }

    /// Takes the first annotation.
    private static func first(of rest: inout Data) -> Listed? {
        let step = MemoryLayout<offstage_pages_annotation>.size
        guard rest.count >= step else { return nil }
        let head = rest.withUnsafeBytes { $0.loadUnaligned(as: offstage_pages_annotation.self) }
        rest = rest.dropFirst(step)
        func take(_ count: Int) -> Data? {
            guard count <= rest.count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }
        let widthCount = head.pen & OFFSTAGE_PAGES_WIDTHS.rawValue == 0 ? 0 : Int(head.point_count)
        guard let lengths = take(4 * Int(head.stroke_count))?.numbers(UInt32.self),
            let places = take(8 * Int(head.point_count))?.numbers(Int32.self),
            let widths = take(4 * widthCount)?.numbers(UInt32.self),
            lengths.reduce(0, { $0 + Int($1) }) == Int(head.point_count)
        else { return nil }
        var texts: [String] = []
        let sizes = [head.identifier_size, head.author_size, head.modified_size, head.family_size, head.text_size]
        for size in sizes {
            guard let bytes = take(Int(size)) else { return nil }
            texts.append(String(decoding: bytes, as: UTF8.self))
        }
        let used = step + 4 * (lengths.count + places.count + widths.count) + sizes.reduce(0) { $0 + Int($1) }
        guard take((4 - used % 4) % 4) != nil else { return nil }
        var annotation = PageAnnotation(head, lengths.map { Int($0) }, places, texts)
        if !widths.isEmpty { annotation.setWidths(widths.map { Double($0) / 1_000 }) }
        return Listed(
            annotation: annotation, page: Int(head.page), number: head.kind,
            isHidden: head.pen & OFFSTAGE_PAGES_HIDDEN.rawValue != 0)
    }

    /// - Parameter widths: one for each point of the strokes, points.
    private mutating func setWidths(_ widths: [Double]) {
        guard kind == .ink else { return }
        var rest = widths[...]
        var pen = pen ?? Pen()
        pen.widths = strokes.map { stroke in
            defer { rest = rest.dropFirst(stroke.count) }
            return Array(rest.prefix(stroke.count))
        }
        self.pen = pen
    }

    private init(_ head: offstage_pages_annotation, _ lengths: [Int], _ places: [Int32], _ texts: [String]) {
        let box = [head.box.0, head.box.1, head.box.2, head.box.3].map(Self.value)
        self.init(
            kind: Self.kinds[head.kind] ?? .other,
            part: PagePart(x: box[0], y: box[1], width: box[2] - box[0], height: box[3] - box[1]))
        color = Color(number: head.color)
        fill = head.fill >> 24 == 0 ? nil : Color(number: head.fill)
        opacity = Double(min(head.opacity, UInt32(OFFSTAGE_PAGES_OPAQUE))) / Double(OFFSTAGE_PAGES_OPAQUE)
        width = Double(head.width) / 1_000
        if kind == .freeText {
            borderWidth = Double(head.border) / 1_000
            fontSize = Double(head.font_size) / 1_000
            alignment = head.alignment == 1 ? .center : head.alignment == 2 ? .right : .left
            if !texts[3].isEmpty { fontFamily = texts[3] }
        }
        if kind == .ink, head.pen & OFFSTAGE_PAGES_MARKS.rawValue != 0 {
            pen = Pen(opacity: UInt8(head.color >> 24), isHighlighter: true)
        }
        identifier = texts[0].isEmpty ? nil : texts[0]
        (author, modified, text) = (texts[1], Date(pdfDate: texts[2]), texts[4])
        var start = 0
        for length in lengths {
            let points = (start..<start + length).map {
                Point(x: Self.value(places[2 * $0]), y: Self.value(places[2 * $0 + 1]))
            }
            start += length
            if !kind.isMark {
                strokes.append(points)
            } else if length == 2 {
                marks.append(
                    PagePart(
                        x: points[0].x, y: points[0].y, width: points[1].x - points[0].x,
                        height: points[1].y - points[0].y))
            }
        }
    }
}

extension PageAnnotation.Color {
    /// 0xFFRRGGBB.
    fileprivate var number: UInt32 { 0xFF00_0000 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }

    fileprivate init(number: UInt32) {
        self.init(red: UInt8(number >> 16 & 255), green: UInt8(number >> 8 & 255), blue: UInt8(number & 255))
    }
}

extension Data {
    fileprivate mutating func append(numbers: [some FixedWidthInteger]) {
        numbers.withUnsafeBytes { append(contentsOf: $0) }
    }

    /// Adds zeros up to a multiple of 4 bytes.
    mutating func pad() { append(Data(count: (4 - count % 4) % 4)) }

    fileprivate func numbers<N: FixedWidthInteger>(_ type: N.Type) -> [N] {
        withUnsafeBytes { bytes in
            (0..<bytes.count / MemoryLayout<N>.size).map {
                bytes.loadUnaligned(fromByteOffset: $0 * MemoryLayout<N>.size, as: type)
            }
        }
    }
}
