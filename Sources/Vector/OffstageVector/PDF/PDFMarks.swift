import Foundation
import Offstage

/// Finds marks that an engine has drawn in special colours, such as the outlines of links. With paper, only the
/// finished document shows where content is.
struct PDFMarks {
    /// Red and green encode the mark's number, blue its kind.
    struct Mark: Hashable {
        var kind: VectorImage.MarkKind
        var number: Int
    }

    /// A box in the content's coordinates, which may be upside down.
    struct Box {
        var left: Double
        var bottom: Double
        var right: Double
        var top: Double
    }

    /// The area of each mark, with a box for each line.
    private(set) var boxes: [Mark: [Box]] = [:]

    private typealias Point = (x: Double, y: Double)
    private var matrix = PDFMatrix()
    private var color: Mark?
    private var saved: [(matrix: PDFMatrix, color: Mark?)] = []
    private var paths: [[Point]] = []

    init(_ content: Data) {
        var tokens = PDFTokens(content)
        var numbers: [Double] = []
        while let token = tokens.next() {
            switch token {
            case .number(let number): numbers.append(number)
            case .operator(let word):
                run(word, numbers)
                numbers = []
            case .name, .string: break
            }
        }
    }

    private mutating func run(_ word: String, _ numbers: [Double]) {
        switch (word, numbers.count) {
        case ("q", _): saved.append((matrix, color))
        case ("Q", _): if let last = saved.popLast() { (matrix, color) = last }
        case ("cm", 6): matrix.concatenate(numbers)
        case ("rg", 3): color = Mark(red: numbers[0], green: numbers[1], blue: numbers[2])
        case ("m", 2): paths.append([matrix.point(numbers[0], numbers[1])])
        case ("l", 2) where !paths.isEmpty: paths[paths.count - 1].append(matrix.point(numbers[0], numbers[1]))
        case ("re", 4):
            let (x, y, width, height) = (numbers[0], numbers[1], numbers[2], numbers[3])
            let corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
            paths.append(corners.map { matrix.point($0.0, $0.1) })
        case ("f", _), ("F", _), ("f*", _):
            if let color { boxes[color, default: []] += Self.lines(of: paths) }
            paths = []
        case ("n", _), ("S", _), ("s", _), ("B", _), ("B*", _), ("b", _), ("b*", _): paths = []
        default: break
        }
    }

    /// Splits the outline of a link that spans several lines into one box per line: each range of heights with a
    /// constant width becomes a box. Boxes thinner than a line are where two lines touch, and are dropped.
    private static func lines(of paths: [[Point]]) -> [Box] {
        let edges = paths.flatMap { path in
            zip(path, path.dropFirst() + path.prefix(1)).compactMap {
                one, other -> (x: Double, low: Double, high: Double)? in
                abs(one.x - other.x) < 0.01 && one.y != other.y
                    ? (one.x, min(one.y, other.y), max(one.y, other.y)) : nil
            }
        }
        let heights = Set(edges.flatMap { [$0.low, $0.high] }).sorted()
        var boxes: [Box] = []
        for (low, high) in zip(heights, heights.dropFirst()) where high - low > 0.01 {
            let across = edges.filter { $0.low <= low && $0.high >= high }.map(\.x)
            guard let left = across.min(), let right = across.max(), right > left else { continue }
            if let last = boxes.last, last.top == low, abs(last.left - left) < 1.5, abs(last.right - right) < 1.5 {
                boxes[boxes.count - 1].top = high
            } else {
                boxes.append(Box(left: left, bottom: low, right: right, top: high))
            }
        }
        return boxes.filter { $0.top - $0.bottom > 2.5 }
    }
}

extension PDFMarks.Mark {
    /// Nil if the colour does not belong to a mark.
    fileprivate init?(red: Double, green: Double, blue: Double) {
        func byte(_ value: Double) -> Int { Int((value * 255).rounded()) }
        guard let kind = VectorImage.MarkKind(rawValue: byte(blue)) else { return nil }
        self.init(kind: kind, number: (byte(red) << 8 | byte(green)) ^ VectorImage.markMask)
    }
}
