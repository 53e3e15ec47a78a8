import COffstagePages
import Foundation

/// The form in which annotations go to the worker and come from it. Every number that comes from it is checked.
extension PageAnnotation {
    private static let side = Double(OFFSTAGE_PAGES_WORD_SIDE)

    /// The most points, and the most UTF-16 units of a text, of one annotation.
    static let most = (points: 6_000, strokes: 2_000, text: 1_999)

    private static func place(_ value: Double) -> Int32 {
        Int32(clamping: Int((min(max(value.isNaN ? 0 : value, -100), 100) * side).rounded()))
    }

    private static func value(_ place: Int32) -> Double { Double(place) / side }

    private var number: UInt32? {
        switch kind {
        case .note: 1
        case .freeText: 3
        case .highlight: 9
        case .underline: 10
        case .line: 4
        case .square: 5
        case .circle: 6
        case .polygon: 7
        case .polyLine: 8
        case .squiggly: 11
        case .strikeOut: 12
        case .ink: 15
        case .other: nil
        }
    }

    private static func kind(_ number: UInt32) -> Kind {
        switch number {
        case 1: .note
        case 3: .freeText
        case 9: .highlight
        case 10: .underline
        case 12: .strikeOut
        case 15: .ink
        default: .other
        }
    }

    /// Nil for an annotation that cannot be made: of another kind, or too large.
    var wire: Data? {
        guard let number else { return nil }
        let strokes =
            kind == .ink
            ? strokes : marks.map { [Point(x: $0.x, y: $0.y), Point(x: $0.right, y: $0.bottom)] }
        // Widths of a file that somebody has changed may not fit.
        let widths = pen?.widths.flatMap(\.self) ?? []
        let varies = !widths.isEmpty && pen?.widths.map(\.count) == self.strokes.map(\.count)
        let (points, units) = (strokes.flatMap(\.self), Array(text.utf16) + [0])
        guard points.count <= Self.most.points, strokes.count <= Self.most.strokes, units.count <= Self.most.text + 1
        else { return nil }
        var head = offstage_pages_annotation()
        head.kind = number
        head.color = 0xFF00_0000 | UInt32(color.red) << 16 | UInt32(color.green) << 8 | UInt32(color.blue)
        head.width = UInt32(min(max(width.isNaN ? 1 : width, 0), 1_000) * 1_000)
        if kind == .ink, let pen {
            head.color = head.color & 0xFF_FFFF | UInt32(pen.opacity) << 24
            // An even pen that is opaque is a line.
            head.pen =
                (varies ? OFFSTAGE_PAGES_WIDTHS.rawValue : 0) | (pen.isHighlighter ? OFFSTAGE_PAGES_MARKS.rawValue : 0)
            if head.pen == 0, pen.opacity < 255 { head.pen = OFFSTAGE_PAGES_AREA.rawValue }
        }
        head.stroke_count = UInt32(strokes.count)
        head.point_count = UInt32(points.count)
        head.text_size = UInt32(2 * units.count)
        head.box = (Self.place(part.x), Self.place(part.y), Self.place(part.right), Self.place(part.bottom))
        var data = withUnsafeBytes(of: &head) { Data($0) }
        for stroke in strokes { withUnsafeBytes(of: UInt32(stroke.count)) { data.append(contentsOf: $0) } }
        for point in points {
            for place in [Self.place(point.x), Self.place(point.y)] {
                withUnsafeBytes(of: place) { data.append(contentsOf: $0) }
            }
        }
        if kind == .ink, varies {
            for width in widths {
                let thousandths = UInt32(min(max(width.isNaN ? 1 : width, 0), 1_000) * 1_000)
                withUnsafeBytes(of: thousandths) { data.append(contentsOf: $0) }
            }
        }
        units.withUnsafeBytes { data.append(contentsOf: $0) }
        return data
    }

    /// Nil for bytes that are not an annotation.
    init?(wire: Data) {
        let bytes = Data(wire)
        let size = MemoryLayout<offstage_pages_annotation>.size
        guard bytes.count >= size else { return nil }
        let head = bytes.withUnsafeBytes { $0.loadUnaligned(as: offstage_pages_annotation.self) }
        let (strokes, points) = (Int(head.stroke_count), Int(head.point_count))
        guard strokes <= Self.most.strokes, points <= Self.most.points,
            bytes.count == size + 4 * strokes + 8 * points + Int(head.text_size), head.text_size % 2 == 0
        else { return nil }
        func number<N: FixedWidthInteger>(at offset: Int, as type: N.Type) -> N {
            bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
        }
        self.init(
            kind: Self.kind(head.kind),
            part: PagePart(
                x: Self.value(head.box.0), y: Self.value(head.box.1),
                width: Self.value(head.box.2) - Self.value(head.box.0),
                height: Self.value(head.box.3) - Self.value(head.box.1)))
        color = Color(
            red: UInt8(head.color >> 16 & 255), green: UInt8(head.color >> 8 & 255), blue: UInt8(head.color & 255))
        width = Double(head.width) / 1_000
        var place = 0
        for stroke in 0..<strokes {
            let count = Int(number(at: size + 4 * stroke, as: UInt32.self))
            guard count <= points - place else { return nil }
            let found = (place..<place + count).map { index in
                let offset = size + 4 * strokes + 8 * index
                return Point(
                    x: Self.value(number(at: offset, as: Int32.self)),
                    y: Self.value(number(at: offset + 4, as: Int32.self)))
            }
            place += count
            if kind == .ink {
                self.strokes.append(found)
            } else if count == 2 {
                marks.append(
                    PagePart(
                        x: found[0].x, y: found[0].y, width: found[1].x - found[0].x, height: found[1].y - found[0].y))
            }
        }
        let units = (0..<Int(head.text_size) / 2).map {
            number(at: size + 4 * strokes + 8 * points + 2 * $0, as: UInt16.self)
        }
        text = String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
    }
}
