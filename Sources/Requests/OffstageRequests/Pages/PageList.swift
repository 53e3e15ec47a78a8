/// The value of `--pages`: `1-3,last`.
struct PageList: Sendable, Hashable {
    private enum Bound: Hashable {
        case number(Int)
        case last
    }

    private struct Span: Hashable {
        var first: Bound
        /// Equal to `first` for a single page.
        var end: Bound
        var isRange: Bool
    }

    private var spans: [Span] = []

    /// The maximum number of pages of one document.
    static let most = 1 << 20
    static let kind = "pages such as 3, 1-3, 5-, last or all, with commas between them"

    /// - Returns: nil for another text.
    init?(_ text: String) {
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            if part == "all" {
                spans.append(Span(first: .number(1), end: .last, isRange: true))
                continue
            }
            let ends = part.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
            guard let first = Self.bound(ends[0]) else { return nil }
            if ends.count == 1 {
                spans.append(Span(first: first, end: first, isRange: false))
            } else {
                guard let end = ends[1].isEmpty ? .last : Self.bound(ends[1]) else { return nil }
                if case (.number(let low), .number(let high)) = (first, end), low > high { return nil }
                // No document has a last page before its first one.
                if case (.last, .number) = (first, end) { return nil }
                spans.append(Span(first: first, end: end, isRange: true))
            }
        }
    }

    private static func bound(_ text: Substring) -> Bound? {
        if text == "last" { return .last }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text), (1...most).contains(number)
        else { return nil }
        return .number(number)
    }

    /// True if the number of pages is needed: a range ends at the last page.
    var needsCount: Bool { spans.contains { $0.isRange || $0.first == .last } }

    /// The pages in the order of the text, each once. A single page that the document lacks is included, and fails when it is drawn.
    ///
    /// - Parameter count: the document's pages; ignored if `needsCount` is false.
    func pages(of count: Int) -> [Int] {
        let last = min(max(1, count), Self.most)
        func number(_ bound: Bound) -> Int { if case .number(let number) = bound { number } else { last } }
        var pages: [Int] = []
        var seen: Set<Int> = []
        for span in spans {
            let first = number(span.first)
            // A range selects the pages that exist. A range beyond the end is a mistake, which its first page reports.
            let end = span.isRange ? max(first, min(number(span.end), last)) : first
            for page in first...end where seen.insert(page).inserted { pages.append(page) }
        }
        return pages
    }
}
