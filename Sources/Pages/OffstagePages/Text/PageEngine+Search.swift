import Offstage
import OffstageWorkers

/// An occurrence of a text in a document.
public struct PageMatch: Sendable, Hashable {
    /// From 1.
    public var page: Int
    /// The rectangles of the text, one for each line.
    public var parts: [PagePart]
    /// The text with up to eight words before and after it. Untrusted.
    public var context: String
}

extension PageEngine {
    /// Finds a text in all pages of a document, as `PageText.matches` does in one page.
    ///
    /// - Parameters:
    ///   - query: the text to find.
    ///   - document: the document.
    ///   - password: the password of an encrypted document. Default none.
    ///   - limit: the maximum number of matches. Default 10,000.
    ///   - budget: the limits of each page's jobs. Default `WorkerBudget()`.
    /// - Returns: the matches in page order.
    /// - Throws: the errors of a drawing. A page that is too damaged to be read counts as empty.
    public func matches(
        of query: String, in document: PageDocument, password: String? = nil, limit: Int = 10_000,
        budget: WorkerBudget = WorkerBudget()
    ) async throws(DrawingError) -> [PageMatch] {
        var matches: [PageMatch] = []
        for page in 1...max(1, try await pageCount(of: document, password: password)) where matches.count < limit {
            let text: PageText
            do throws(DrawingError) {
                text = try await self.text(of: document, page: page, password: password, budget: budget)
            } catch {
                if error == PageFailure.pageDamaged(page).error { continue }
                throw error
            }
            matches += text.matches(of: query, limit: limit - matches.count).map { range in
                PageMatch(page: page, parts: text.parts(range), context: text.context(of: range))
            }
        }
        return matches
    }
}

extension PageText {
    private static let contextWords = 8

    /// The text around a match, in one line.
    func context(of range: Range<Position>) -> String {
        let first = max(0, range.lowerBound.word - Self.contextWords)
        let last = min(words.count, range.upperBound.word + Self.contextWords + 1)
        guard first < last else { return "" }
        let text = words[first..<last].map { $0.text + ($0.ending == "\n" ? " " : $0.ending) }.joined()
        return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
