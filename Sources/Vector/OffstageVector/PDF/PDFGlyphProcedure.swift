import Foundation

/// Reads the content stream that draws a glyph of a Type 3 font (PDF 32000-1, 9.6.5).
struct PDFGlyphProcedure {
    private typealias Point = GlyphOutline.Point

    /// A glyph's program has at most 65,535 bytes (Adobe Technical Note 5177, Appendix B), and a curve takes up to 31.
    static let segmentLimit = 2000

    private var outline: GlyphOutline?
    private var path: [GlyphOutline.Contour] = []
    private var matrix: PDFMatrix
    private var saved: [PDFMatrix] = []
    private var isFilled = false

    private init(_ matrix: PDFMatrix) { self.matrix = matrix }

    /// - Parameter isUpsideDown: true if the font's y axis points down.
    /// - Returns: Nil for anything that an outline cannot express: images, colours, lines, the even-odd rule, and more
    ///   than one area, because areas would cut holes into each other.
    static func outline(of content: Data, isUpsideDown: Bool) -> GlyphOutline? {
        var procedure = PDFGlyphProcedure(PDFMatrix(d: isUpsideDown ? -1 : 1))
        var tokens = PDFTokens(content)
        var numbers: [Double] = []
        while let token = tokens.next() {
            switch token {
            case .number(let number): numbers.append(number)
            case .operator(let word):
                guard procedure.run(word, numbers) else { return nil }
                numbers = []
            case .name, .string: return nil
            }
        }
        return procedure.outline
    }

    /// Returns false for an unknown operator.
    private mutating func run(_ word: String, _ numbers: [Double]) -> Bool {
        if ["d0", "d1"].contains(word) {
            guard outline == nil, numbers.count == (word == "d0" ? 2 : 6), numbers[1] == 0 else { return false }
            outline = GlyphOutline(width: numbers[0])
            return Self.fits(numbers[0])
        }
        guard outline != nil else { return false }
        switch (word, numbers.count) {
        case ("q", 0): saved.append(matrix)
        case ("Q", 0):
            guard let last = saved.popLast() else { return false }
            matrix = last
        case ("cm", 6): matrix.concatenate(numbers)
        case ("f", 0), ("F", 0): return fill()
        case ("n", 0): path = []
        default: return draw(word, numbers)
        }
        return true
    }

    private mutating func fill() -> Bool {
        let areas = path.filter { !$0.segments.isEmpty }
        path = []
        if areas.isEmpty { return true }
        guard !isFilled, areas.reduce(0, { $0 + $1.segments.count }) <= Self.segmentLimit else { return false }
        isFilled = true
        outline?.contours = areas
        return true
    }

    private mutating func draw(_ word: String, _ numbers: [Double]) -> Bool {
        if word == "re", numbers.count == 4 {
            let (x, y, width, height) = (numbers[0], numbers[1], numbers[2], numbers[3])
            return draw("m", [x, y]) && draw("l", [x + width, y]) && draw("l", [x + width, y + height])
                && draw("l", [x, y + height]) && draw("h", [])
        }
        let points = stride(from: 0, to: numbers.count - 1, by: 2).map { place in
            let (x, y) = matrix.point(numbers[place], numbers[place + 1])
            return Point(x: x, y: y)
        }
        guard points.allSatisfy({ Self.fits($0.x) && Self.fits($0.y) }) else { return false }
        if word == "m", numbers.count == 2 {
            path.append(GlyphOutline.Contour(start: points[0]))
            return true
        }
        guard let contour = path.last else { return false }
        let current = contour.segments.last?.points.last ?? contour.start
        let segment: GlyphOutline.Segment
        switch (word, numbers.count) {
        case ("l", 2): segment = .line(points[0])
        case ("c", 6): segment = .curve(points[0], points[1], points[2])
        case ("v", 4): segment = .curve(current, points[0], points[1])
        case ("y", 4): segment = .curve(points[0], points[1], points[1])
        case ("h", 0):
            // Without a move, the next contour starts at this one's start.
            path.append(GlyphOutline.Contour(start: contour.start))
            return true
        default: return false
        }
        path[path.count - 1].segments.append(segment)
        return true
    }

    /// A font stores coordinates and their differences in 16 bits.
    private static func fits(_ number: Double) -> Bool { abs(number) < 16_000 }
}
