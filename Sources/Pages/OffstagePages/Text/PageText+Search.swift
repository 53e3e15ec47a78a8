import Foundation

extension PageText {
    /// Finds the occurrences of a text, ignoring case and accents. White space matches any white space, including the
    /// end of a line. A word that is hyphenated at the end of a line is found with and without the hyphen. Numbers such
    /// as `1990-2000` and hyphenated compounds are also found if a line ends after the hyphen.
    ///
    /// - Parameters:
    ///   - query: the text to find; a text without letters finds nothing.
    ///   - limit: the maximum number of matches. Default 1,000.
    /// - Returns: the matches, in the order of the words.
    public func matches(of query: String, limit: Int = 1_000) -> [Range<Position>] {
        let query = query.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        if query.isEmpty { return [] }
        let wanted = Array(query.flatMap(Self.folded))
        let letters = letters
        var (found, start) = ([Range<Position>](), 0)
        while start < letters.count, found.count < limit {
            guard let end = Self.end(of: wanted, in: letters, from: start) else {
                start += 1
                continue
            }
            let last = letters[end - 1].place
            found.append(letters[start].place..<Position(word: last.word, character: last.character + 1))
            start = end
        }
        return found
    }

    private struct Letter {
        var character: Character
        var place: Position
        /// True for the hyphen of a divided word and the line break after a hyphen, which a query need not contain.
        var isOptional = false
    }

    /// The letters of all words, with one space between two words.
    private var letters: [Letter] {
        var letters: [Letter] = []
        for (number, word) in words.enumerated() {
            // Folding can change the number of characters, so fold each one separately.
            for (index, character) in word.text.enumerated() {
                for letter in Self.folded(character) {
                    letters.append(Letter(character: letter, place: Position(word: number, character: index)))
                }
            }
            let end = Position(word: number, character: word.text.count)
            if word.isDivided { letters.append(Letter(character: "-", place: end, isOptional: true)) }
            let isOptional = word.ending == "\n" && word.text.last == "-"
            if !word.ending.isEmpty { letters.append(Letter(character: " ", place: end, isOptional: isOptional)) }
        }
        return letters
    }

    /// The end of a match that begins at a letter; nil if the text differs.
    private static func end(of wanted: [Character], in letters: [Letter], from start: Int) -> Int? {
        var position = start
        for character in wanted {
            if position > start, position < letters.count, letters[position].isOptional,
                letters[position].character != character
            {
                position += 1
            }
            guard position < letters.count, letters[position].character == character else { return nil }
            position += 1
        }
        return position
    }

    private static func folded(_ character: Character) -> [Character] {
        if character.isASCII { return Array(character.lowercased()) }
        let options: String.CompareOptions = [.caseInsensitive, .diacriticInsensitive, .widthInsensitive]
        return Array(String(character).folding(options: options, locale: nil))
    }
}
