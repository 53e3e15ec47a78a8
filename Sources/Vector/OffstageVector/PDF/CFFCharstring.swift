import Foundation

/// A glyph's outline as a program of a CFF font (Adobe Technical Note 5177, The Type 2 Charstring Format).
struct CFFCharstring {
    private(set) var bytes: [UInt8] = []
    /// The pen's position.
    private var place = (x: 0, y: 0)
    /// The operator that is not written yet, because one operator with more operands can replace several.
    private var pending: (word: Word, operands: [Int])?

    private enum Word: UInt8 {
        case verticalMove = 4
        case lines
        case horizontalLines, verticalLines
        case curves
        case end = 14
        case move = 21
        case horizontalMove
        case verticalCurves = 30
        case horizontalCurves
    }

    /// The number of operands that every reader supports.
    private static let operandLimit = 48

    /// - Parameter defaultWidth: the font's default width. A glyph of this width omits it.
    init(_ outline: GlyphOutline, defaultWidth: Double) {
        let width = CFFNumber.fixed(outline.width)
        if width != CFFNumber.fixed(defaultWidth) { bytes += CFFNumber.operand(width) }
        for contour in outline.contours {
            move(to: contour.start)
            for segment in contour.segments {
                switch segment {
                case .line(let end): line(to: end)
                case .curve(let first, let second, let end): curve(first, second, end)
                }
            }
        }
        write()
        bytes.append(Word.end.rawValue)
    }

    private mutating func move(to point: GlyphOutline.Point) {
        let (x, y) = step(to: point)
        write()
        switch (x, y) {
        case (_, 0): pending = (.horizontalMove, [x])
        case (0, _): pending = (.verticalMove, [y])
        default: pending = (.move, [x, y])
        }
    }

    private mutating func line(to point: GlyphOutline.Point) {
        let (x, y) = step(to: point)
        switch (x, y) {
        case (0, 0): break
        case (_, 0): alternate(.horizontalLines, .verticalLines, [x])
        case (0, _): alternate(.verticalLines, .horizontalLines, [y])
        default: add(.lines, [x, y])
        }
    }

    private mutating func curve(_ first: GlyphOutline.Point, _ second: GlyphOutline.Point, _ end: GlyphOutline.Point) {
        let (one, two, three) = (step(to: first), step(to: second), step(to: end))
        if one.y == 0, three.x == 0 {
            alternate(.horizontalCurves, .verticalCurves, [one.x, two.x, two.y, three.y])
        } else if one.x == 0, three.y == 0 {
            alternate(.verticalCurves, .horizontalCurves, [one.y, two.x, two.y, three.x])
        } else {
            add(.curves, [one.x, one.y, two.x, two.y, three.x, three.y])
        }
    }

    /// The step between two rounded positions, so that errors don't add up.
    private mutating func step(to point: GlyphOutline.Point) -> (x: Int, y: Int) {
        let next = (x: CFFNumber.fixed(point.x), y: CFFNumber.fixed(point.y))
        defer { place = next }
        return (next.x - place.x, next.y - place.y)
    }

    private mutating func add(_ word: Word, _ operands: [Int]) {
        if let pending, pending.word == word, pending.operands.count + operands.count <= Self.operandLimit {
            self.pending?.operands += operands
        } else {
            write()
            pending = (word, operands)
        }
    }

    /// Extends an operator that alternates with another one: each continues the pattern of the other.
    private mutating func alternate(_ word: Word, _ other: Word, _ operands: [Int]) {
        let count = pending?.operands.count ?? 0
        let expected = (count / operands.count).isMultiple(of: 2) ? word : other
        if pending?.word == expected, count + operands.count <= Self.operandLimit {
            pending?.operands += operands
        } else {
            write()
            pending = (word, operands)
        }
    }

    private mutating func write() {
        guard let pending else { return }
        for operand in pending.operands { bytes += CFFNumber.operand(operand) }
        bytes.append(pending.word.rawValue)
        self.pending = nil
    }
}
