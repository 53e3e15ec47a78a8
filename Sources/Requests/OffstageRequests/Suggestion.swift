/// Finds known words that resemble an unknown one.
package enum Suggestion {
    /// The nearest known words, at most three: those with the fewest typing mistakes, else those that begin with the
    /// word. Empty if no word is near.
    package static func nearest(to word: String, among known: [String]) -> [String] {
        let word = word.lowercased()
        // Comparing a long word letter by letter would be slow.
        guard !word.isEmpty, word.utf8.count <= 40 else { return [] }
        let distances = known.map { (name: $0, count: mistakes(word, $0.lowercased())) }
        let best = distances.map(\.count).min() ?? .max
        let letters = word.count { $0 != "-" }
        if best <= max(1, letters / 3) { return Array(distances.filter { $0.count == best }.map(\.name).prefix(3)) }
        if letters < 3 { return [] }
        return Array(known.filter { $0.hasPrefix(word) }.prefix(3))
    }

    /// `what; did you mean a or b?`, or `what; otherwise` if no known word is near.
    ///
    /// - Parameter otherwise: a reference to a list of the known words.
    package static func error(
        _ what: String, for word: String, among known: [String], otherwise: String
    ) -> UsageError {
        if let advice = advice(for: word, among: known) { return UsageError(what + advice) }
        let near = nearest(to: word, among: known)
        return UsageError("\(what); " + (near.isEmpty ? otherwise : "did you mean \(near.formatted("or"))?"))
    }

    /// The end of a message about an option that other programs have: `; use --scale`. Nil for words that are not such
    /// options.
    package static func advice(for word: String, among known: [String]) -> String? {
        if known.contains(where: { $0.hasSuffix("samples-per-pixel") }), let advice = Audiowaveform.advice(for: word) {
            // Keys of rows and of queries have no dashes.
            let hasDashes = known.contains { $0.hasPrefix("--") }
            return ", which audiowaveform has; " + (hasDashes ? advice : advice.replacing("--", with: ""))
        }
        return OtherTools.advice(for: word, among: known).map { "; \($0)" }
    }

    /// The number of letters to insert, remove or replace, and of neighbours to swap (optimal string alignment).
    private static func mistakes(_ first: String, _ second: String) -> Int {
        let (a, b) = (Array(first.utf8), Array(second.utf8))
        var rows = [Array(0...b.count)]
        for i in 1...max(1, a.count) where i <= a.count {
            var row = [i]
            for j in 1...max(1, b.count) where j <= b.count {
                let isSame = a[i - 1] == b[j - 1]
                var count = min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + (isSame ? 0 : 1))
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    count = min(count, rows[i - 2][j - 2] + 1)
                }
                row.append(count)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }
}
