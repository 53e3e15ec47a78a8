import Foundation

@testable import Offstage
@testable import OffstageVector

/// Interprets a glyph's charstring as a font reader does, with the operators that subset fonts use (Adobe Technical
/// Note 5177).
struct CharstringReader {
    /// Nil means the font's default width.
    private(set) var width: Double?
    private(set) var contours: [GlyphOutline.Contour] = []
    private var operands: [Double] = []
    private var hasMoved = false
    private var place = GlyphOutline.Point(x: 0, y: 0)

    struct Malformed: Error {}

    init(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            switch byte {
            case 32...246: operands.append(Double(byte) - 139)
            case 247...250: operands.append((Double(byte) - 247) * 256 + Double(rest.removeFirst()) + 108)
            case 251...254: operands.append(-(Double(byte) - 251) * 256 - Double(rest.removeFirst()) - 108)
            case 28: operands.append(Double(Int16(truncatingIfNeeded: Self.number(&rest, 2))))
            case 255: operands.append(Double(Int32(truncatingIfNeeded: Self.number(&rest, 4))) / 65536)
            case 14:
                if !hasMoved, !operands.isEmpty { width = operands.removeFirst() }
                guard operands.isEmpty, rest.isEmpty else { throw Malformed() }
                return
            default: try run(byte)
            }
            // The largest number of operands that readers support.
            if operands.count > 48 { throw Malformed() }
        }
        throw Malformed()
    }

    private static func number(_ bytes: inout ArraySlice<UInt8>, _ count: Int) -> Int {
        (0..<count).reduce(0) { number, _ in number << 8 | Int(bytes.removeFirst()) }
    }

    private mutating func run(_ word: UInt8) throws {
        let moves: [UInt8: Int] = [21: 2, 22: 1, 4: 1]
        if let count = moves[word] {
            if !hasMoved, operands.count == count + 1 { width = operands.removeFirst() }
            hasMoved = true
            guard operands.count == count else { throw Malformed() }
            step(word == 4 ? 0 : operands[0], word == 22 ? 0 : operands[count - 1])
            contours.append(GlyphOutline.Contour(start: place))
        } else {
            guard !contours.isEmpty, !operands.isEmpty else { throw Malformed() }
            try draw(word)
        }
        operands = []
    }

    private mutating func draw(_ word: UInt8) throws {
        let counts: [UInt8: Int] = [5: 2, 6: 1, 7: 1, 8: 6, 30: 4, 31: 4]
        guard let count = counts[word], operands.count.isMultiple(of: count) else { throw Malformed() }
        var isHorizontal = word == 6 || word == 31
        for start in stride(from: 0, to: operands.count, by: count) {
            let part = Array(operands[start..<start + count])
            switch (word, isHorizontal) {
            case (5, _): line(part[0], part[1])
            case (6, true), (7, true): line(part[0], 0)
            case (6, false), (7, false): line(0, part[0])
            case (8, _): curve(part)
            case (_, true): curve([part[0], 0, part[1], part[2], 0, part[3]])
            case (_, false): curve([0, part[0], part[1], part[2], part[3], 0])
            }
            isHorizontal.toggle()
        }
    }

    private mutating func step(_ x: Double, _ y: Double) {
        place = GlyphOutline.Point(x: place.x + x, y: place.y + y)
    }

    private mutating func line(_ x: Double, _ y: Double) {
        step(x, y)
        contours[contours.count - 1].segments.append(.line(place))
    }

    private mutating func curve(_ steps: [Double]) {
        let points = stride(from: 0, to: 6, by: 2).map { start in
            step(steps[start], steps[start + 1])
            return place
        }
        contours[contours.count - 1].segments.append(.curve(points[0], points[1], points[2]))
    }
}
