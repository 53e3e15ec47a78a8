import COffstagePages
import Offstage

/// Checks reports that are parts of a list. An honest worker fills a report, and returns the start of the next one.
extension PageReport {
    /// The maximum length of a label or title, bytes.
    private static let longestText = 1024
    /// The maximum length of an item's target, bytes.
    private static let longestTarget = 4096
    /// The maximum number of information entries that the worker reports.
    private static let mostInformation = 8
    /// The maximum number of pages that the library counts.
    private static let mostPages: UInt32 = 1 << 20

    /// The start of the next report; nil if this is the last one.
    ///
    /// - Parameters:
    ///   - first: the start of this report.
    ///   - last: the highest possible start of a report.
    /// - Throws: the error of an untrue answer, for example if there are more records than numbers between the two
    ///   starts.
    func next(from first: UInt32, upTo last: UInt32) throws(DrawingError) -> UInt32? {
        guard has(OFFSTAGE_PAGES_MORE) else { return nil }
        guard head.next > first, head.next <= last else { throw Self.untrue }
        guard records.count <= head.next - first else { throw Self.untrue }
        return head.next
    }

    /// Like `next(from:upTo:)`, for the pages of a document, which appear once each and in order.
    ///
    /// - Parameter count: the page count in earlier reports; nil for the first one.
    func nextPage(from first: UInt32, count: UInt32?) throws(DrawingError) -> UInt32? {
        try checkCount(count)
        let isMore = has(OFFSTAGE_PAGES_MORE)
        let end = isMore ? head.next : head.pages
        guard first < end || !isMore, end <= head.pages else { throw Self.untrue }
        var (page, information, layers) = (first, 0, 0)
        for record in records {
            switch offstage_pages_record_kind(rawValue: record.kind) {
            case OFFSTAGE_PAGES_PAGE:
                guard page < end, record.numbers.0 == page, record.text.count <= Self.longestText else {
                    throw Self.untrue
                }
                page += 1
            case OFFSTAGE_PAGES_INFORMATION where first == 0 && information < Self.mostInformation: information += 1
            case OFFSTAGE_PAGES_LAYER where first == 0 && layers < Int(OFFSTAGE_PAGES_MOST_LAYERS):
                guard record.text.count <= Int(OFFSTAGE_PAGES_MOST_LAYER_NAME) else { throw Self.untrue }
                layers += 1
            default: throw Self.untrue
            }
        }
        guard page == max(first, end) else { throw Self.untrue }
        return isMore ? end : nil
    }

    /// Like `next(from:upTo:)`, for the items of an outline.
    ///
    /// - Parameter count: the page count in earlier reports; nil for the first one.
    func nextItem(from first: UInt32, count: UInt32?) throws(DrawingError) -> UInt32? {
        try checkCount(count)
        for record in records {
            guard record.kind == OFFSTAGE_PAGES_ITEM.rawValue,
                record.text.count <= Self.longestText + 1 + Self.longestTarget
            else {
                throw Self.untrue
            }
        }
        return try next(from: first, upTo: .max)
    }

    /// Checks the number of pages.
    ///
    /// - Parameter known: the number in earlier reports; nil for the first one.
    func checkCount(_ known: UInt32?) throws(DrawingError) {
        guard head.pages <= Self.mostPages, known == nil || known == head.pages else { throw Self.untrue }
    }

    private static let untrue = DrawingError.untrueAnswer("the worker sent an inconsistent list")
}
