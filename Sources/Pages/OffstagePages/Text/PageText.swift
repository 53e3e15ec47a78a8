import Foundation

/// The words of a page with their positions, for selections, searches and screen readers. All texts are untrusted.
public struct PageText: Sendable, Hashable {
    /// A word.
    public struct Word: Sendable, Hashable {
        /// At least one character.
        public var text: String
        public var part: PagePart
        /// The text after the word: a space, a line feed, or nothing.
        public var ending: String
        /// True if a hyphen at the end of a line divides the word, and the next word is the rest of it. The hyphen is
        /// part of the bounds, but not of the text.
        public var isDivided = false
        /// True for a word that runs down or up.
        var isVertical = false
        /// The right or lower edge of each character, in reading order, 0 to 1 from the word's left to its right; empty
        /// if unknown.
        var edges: [Double]

        /// Makes a word.
        ///
        /// - Parameters:
        ///   - text: at least one character.
        ///   - part: its bounds on the page.
        ///   - ending: the text after it. Default a space.
        public init(_ text: String, part: PagePart, ending: String = " ") {
            (self.text, self.part, self.ending, edges) = (text, part, ending, [])
        }
    }

    /// A position between two characters.
    public struct Position: Sendable, Hashable, Comparable {
        /// The index of a word.
        public var word: Int
        /// The index of the character after the position.
        public var character: Int

        /// Makes a position.
        public init(word: Int, character: Int) { (self.word, self.character) = (word, character) }

        public static func < (left: Self, right: Self) -> Bool {
            (left.word, left.character) < (right.word, right.character)
        }
    }

    /// In reading order, as far as the document defines it.
    public var words: [Word]

    /// Makes a text from words.
    public init(words: [Word] = []) { self.words = words }

    /// The whole text.
    public var text: String {
        words.map { $0.text + $0.ending }.joined().trimmingCharacters(in: .whitespacesAndNewlines)
    }

    // MARK: Positions

    /// The character boundary nearest to a point; nil for a page without text.
    ///
    /// - Parameters:
    ///   - x: as a fraction of the page's width.
    ///   - y: as a fraction of the page's height.
    ///   - aspect: the page's width divided by its height. Default 1.
    public func position(nearestX x: Double, y: Double, aspect: Double = 1) -> Position? {
        func distance(_ part: PagePart) -> Double {
            let across = max(part.x - x, 0, x - part.right) * aspect
            let down = max(part.y - y, 0, y - part.bottom)
            // A point beside a line belongs to that line, not to a nearer word of another line.
            return across + 8 * down
        }
        guard let word = words.indices.min(by: { distance(words[$0].part) < distance(words[$1].part) }) else {
            return nil
        }
        return Position(word: word, character: words[word].character(atX: x, y: y))
    }

    /// The word at a point; nil for a point beside all words.
    public func word(atX x: Double, y: Double) -> Int? { words.indices.first { words[$0].part.contains(x: x, y: y) } }

    /// The text between two positions.
    public func string(_ range: Range<Position>) -> String {
        pieces(range).map { words[$0.word].text(from: $0.from, to: $0.to) + ($0.isEnd ? "" : words[$0.word].ending) }
            .joined()
    }

    /// The rectangles of the text between two positions, one for each line.
    public func parts(_ range: Range<Position>) -> [PagePart] {
        var parts: [PagePart] = []
        var isSameLine = false
        for piece in pieces(range) {
            let part = words[piece.word].part(from: piece.from, to: piece.to)
            if isSameLine, let last = parts.last, last.isBeside(part) {
                parts[parts.count - 1] = last.united(with: part)
            } else {
                parts.append(part)
            }
            isSameLine = words[piece.word].ending != "\n" && !words[piece.word].isDivided
        }
        return parts
    }

    private func pieces(_ range: Range<Position>) -> [(word: Int, from: Int, to: Int, isEnd: Bool)] {
        let (start, end) = (range.lowerBound, range.upperBound)
        let last = min(end.word, words.count - 1)
        guard start.word >= 0, start.word <= last else { return [] }
        return (start.word...last).compactMap { number in
            let count = words[number].text.count
            let from = number == start.word ? min(max(0, start.character), count) : 0
            let to = number == end.word ? min(max(0, end.character), count) : count
            return from < to ? (number, from, to, number == last) : nil
        }
    }
}

extension PageText.Word {
    /// The position before a character, as a fraction of the word's width.
    private func edge(_ character: Int) -> Double {
        let count = text.count
        let hasEdges = edges.count == count && count > 0
        // In right-to-left words, a character begins at its right edge, and the word ends at its left.
        if hasEdges, edges[0] > edges[count - 1] {
            return character <= 0 ? 1 : character >= count ? 0 : edges[character]
        }
        if character <= 0 { return 0 }
        if character >= count { return 1 }
        return hasEdges ? edges[character - 1] : Double(character) / Double(count)
    }

    /// The character boundary that is nearest to a position on the page.
    fileprivate func character(atX x: Double, y: Double) -> Int {
        let (start, side) = isVertical ? (y - part.y, part.height) : (x - part.x, part.width)
        let place = side > 0 ? start / side : 0
        return (0...text.count).min { abs(edge($0) - place) < abs(edge($1) - place) } ?? 0
    }

    fileprivate func part(from: Int, to: Int) -> PagePart {
        let (left, right) = (min(edge(from), edge(to)), max(edge(from), edge(to)))
        if isVertical {
            return PagePart(
                x: part.x, y: part.y + part.height * left, width: part.width, height: part.height * (right - left))
        }
        return PagePart(
            x: part.x + part.width * left, y: part.y, width: part.width * (right - left), height: part.height)
    }

    fileprivate func text(from: Int, to: Int) -> String { String(text.dropFirst(from).prefix(to - from)) }
}

extension PagePart {
    /// True if another rectangle is in the same line.
    fileprivate func isBeside(_ other: PagePart) -> Bool {
        let middle = other.y + other.height / 2
        return middle >= y && middle <= bottom
    }
}
