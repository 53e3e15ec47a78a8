import Foundation

/// A font program for a set of glyphs in the Compact Font Format (Adobe Technical Note 5176), without hints.
struct CFFFont {
    /// The PostScript name, without a subset tag.
    let name: String
    let unitsPerEm: Int
    /// Left, bottom, right and top, in whole font units.
    let box: [Int]
    /// The number of glyphs with custom names.
    private let count: Int
    private let defaultWidth: Int
    private let charstrings: [UInt8]
    private let glyphNames: [UInt8]

    /// The maximum number of glyphs: with more, the numbers for their names would run out.
    static let glyphLimit = 64_000
    /// The number of predefined names, which the font need not contain.
    private static let standardNames = 391

    /// - Parameter glyphs: each with a unique name. Without `.notdef`, which every font contains anyway.
    init(name: String, unitsPerEm: Int, glyphs: [(name: String, outline: GlyphOutline)]) {
        (self.name, self.unitsPerEm, count) = (name, unitsPerEm, glyphs.count)
        box = Self.box(of: glyphs.compactMap(\.outline.box))
        let width = Self.commonWidth(glyphs.map(\.outline.width))
        let programs = [GlyphOutline(width: width)] + glyphs.map(\.outline)
        charstrings = Self.index(programs.map { CFFCharstring($0, defaultWidth: width).bytes })
        glyphNames = Self.index(glyphs.map { Array($0.name.utf8) })
        defaultWidth = Int(width)
    }

    /// The name with a subset tag, which distinguishes it from other subsets of the same font.
    var taggedName: String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in data(name: name) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let tag = (0..<6).map { _ in
            defer { hash /= 26 }
            return Character(Unicode.Scalar(UInt8(ascii: "A") + UInt8(hash % 26)))
        }
        return String(tag) + "+" + name
    }

    /// The font program.
    func data(name: String) -> Data {
        // A single range of numbers, without the first glyph, .notdef.
        let charset =
            [2] + CFFNumber.bigEndian(Self.standardNames, 2) + CFFNumber.bigEndian(max(0, count - 1), 2)
        let widths = CFFNumber.integer(defaultWidth) + [20]

        let head: [UInt8] = [1, 0, 4, 4] + Self.index([Array(name.utf8)])
        let tail = glyphNames + Self.index([])
        func top(_ start: Int) -> [UInt8] {
            let (charstringsStart, widthsStart) = (start + charset.count, start + charset.count + charstrings.count)
            let matrix = unitsPerEm == 1000 ? [] : self.matrix
            return matrix + box.flatMap(CFFNumber.integer) + [5] + CFFNumber.place(start) + [15]
                + CFFNumber.place(charstringsStart) + [17]
                + CFFNumber.place(widths.count) + CFFNumber.place(widthsStart) + [18]
        }
        let start = head.count + Self.index([top(0)]).count + tail.count
        return Data(head + Self.index([top(start)]) + tail + charset + charstrings + widths)
    }

    private var matrix: [UInt8] {
        let scale = CFFNumber.real(1 / Double(unitsPerEm))
        let zero = CFFNumber.integer(0)
        return scale + zero + zero + scale + zero + zero + [12, 7]
    }

    private static func box(of boxes: [[Double]]) -> [Int] {
        let low = (0...1).map { side in Int((boxes.map { $0[side] }.min() ?? 0).rounded(.down)) }
        return low + (2...3).map { side in Int((boxes.map { $0[side] }.max() ?? 0).rounded(.up)) }
    }

    /// The whole-number width that most glyphs have.
    private static func commonWidth(_ widths: [Double]) -> Double {
        var counts: [Double: Int] = [:]
        for width in widths where width == width.rounded() { counts[width, default: 0] += 1 }
        return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? 0
    }

    private static func index(_ items: [[UInt8]]) -> [UInt8] {
        if items.isEmpty { return [0, 0] }
        var ends = [1]
        for item in items { ends.append(ends[ends.count - 1] + item.count) }
        let places = ends.flatMap { CFFNumber.bigEndian($0, 4) }
        return CFFNumber.bigEndian(items.count, 2) + [4] + places + items.flatMap(\.self)
    }
}
