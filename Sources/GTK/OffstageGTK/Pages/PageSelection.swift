import Offstage
import OffstagePages

/// The selected text of visible pages.
struct PageSelection: Equatable {
    struct End: Equatable, Comparable {
        var page: Int
        var position: PageText.Position

        static func < (left: Self, right: Self) -> Bool { (left.page, left.position) < (right.page, right.position) }
    }

    /// The position where the button went down.
    var anchor: End
    var end: End

    private var bounds: (End, End) { anchor <= end ? (anchor, end) : (end, anchor) }

    var isEmpty: Bool { anchor == end }

    var pages: ClosedRange<Int> { bounds.0.page...bounds.1.page }

    /// The selected text of a page.
    func range(inPage page: Int, _ text: PageText) -> Range<PageText.Position>? {
        let (first, last) = bounds
        guard pages.contains(page), !text.words.isEmpty else { return nil }
        let end = PageText.Position(word: text.words.count - 1, character: text.words.last?.text.count ?? 0)
        let lower = page == first.page ? first.position : PageText.Position(word: 0, character: 0)
        let upper = page == last.page ? last.position : end
        return lower < upper ? lower..<upper : nil
    }
}

/// The occurrences of the searched text.
@MainActor
struct PageSearch {
    var query = ""
    /// The matches on each page that has been searched.
    var matches: [PagePlan.Place: [(range: Range<PageText.Position>, parts: [PagePart])]] = [:]
    /// The current match.
    var current: (place: PagePlan.Place, index: Int)?
    var task: Task<Void, Never>?

    func parts(_ document: Int, _ page: Int) -> [PagePart] {
        if matches.isEmpty { return [] }
        return matches[PagePlan.Place(document: document, page: page)]?.flatMap(\.parts) ?? []
    }

    func currentParts(_ document: Int, _ page: Int) -> [PagePart]? {
        let place = PagePlan.Place(document: document, page: page)
        guard let current, current.place == place, let found = matches[place], found.indices.contains(current.index)
        else { return nil }
        return found[current.index].parts
    }
}
