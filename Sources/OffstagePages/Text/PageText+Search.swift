import Foundation

extension PageText {
    /// The places where a text occurs, ignoring case and accents. White space matches any white space, also the end of a line.
    ///
    /// - Parameters:
    ///   - query: the text to find; nothing is found for one without letters.
    ///   - limit: the most places. Default 1,000.
    /// - Returns: the places, in the order of the words.
    public func matches(of query: String, limit: Int = 1_000) -> [Range<Position>] {
        let query = query.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        if query.isEmpty { return [] }
        // Folding can change the number of characters, so each is folded alone.
        var (letters, places) = ([Character](), [Position]())
        for (number, word) in words.enumerated() {
            for (index, character) in word.text.enumerated() {
                for letter in Self.folded(character) {
                    letters.append(letter)
                    places.append(Position(word: number, character: index))
                }
            }
            if !word.ending.isEmpty {
                letters.append(" ")
                places.append(Position(word: number, character: word.text.count))
            }
        }
        let wanted = query.flatMap(Self.folded)
        var (found, start) = ([Range<Position>](), 0)
        while start + wanted.count <= letters.count, found.count < limit {
            let end = start + wanted.count
            guard letters[start] == wanted[0], letters[start..<end].elementsEqual(wanted) else {
                start += 1
                continue
            }
            let last = places[end - 1]
            found.append(places[start]..<Position(word: last.word, character: last.character + 1))
            start = end
        }
        return found
    }

    private static func folded(_ character: Character) -> [Character] {
        if character.isASCII { return Array(character.lowercased()) }
        let options: String.CompareOptions = [.caseInsensitive, .diacriticInsensitive, .widthInsensitive]
        return Array(String(character).folding(options: options, locale: nil))
    }
}
