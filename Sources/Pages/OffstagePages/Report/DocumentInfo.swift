import COffstagePages
import Foundation
import Offstage
import OffstageWorkers

/// Facts about a PDF document, determined without drawing it. All texts are untrusted.
public struct DocumentInfo: Sendable, Hashable {
    /// A page.
    public struct Page: Sendable, Hashable {
        /// In points, as viewers show the page: the crop box, with the page's rotation.
        public var width: Double
        /// In points, as viewers show the page.
        public var height: Double
        /// The page's own clockwise rotation in degrees: 0, 90, 180 or 270. The size takes it into account. 0 if the
        /// caller did not request it.
        public var rotation = 0
        /// The page's name in its document, such as `iv`; nil if it has none.
        public var label: String?
    }

    /// An item of the outline, which viewers show beside the pages.
    public struct Item: Sendable, Hashable {
        /// At most 1,024 bytes.
        public var title: String
        /// From 0; an item of a higher level belongs to the one before it with a lower level.
        public var level: Int
        /// From 1; nil if the item does not refer to a page of the document.
        public var page: Int?
        /// The position on the page: from the upper edge of the page's picture at its natural size, CSS px. Nil for the
        /// whole page.
        public var y: Double?
        /// The target of an item that refers to another document, such as `other.pdf#page=3` or a URI; nil for other
        /// items.
        public var target: String?
    }

    /// At least 1.
    public var pageCount = 0
    /// In order: all pages, or the first ones that the caller requested.
    public var pages: [Page] = []
    /// In reading order.
    public var outline: [Item] = []
    /// The document's layers, in its order, at most 256.
    public var layers: [PageLayer] = []
    /// Title, author and more, by their names in the standard: `Title`, `Author`, `Subject`, `Keywords`, `Creator`,
    /// `Producer`, `CreationDate`, `ModDate`.
    public var information: [String: String] = [:]
    /// True if the document is encrypted, even if no password is needed to read it.
    public var isEncrypted = false
    /// The permissions of an encrypted document; nil for a document without encryption.
    public var permissions: DocumentPermissions?
    /// True if the document has a form to fill in.
    public var hasForm = false
    /// True if the document's table of objects is damaged and was rebuilt.
    public var isDamaged = false
}

/// The permissions that the owner of an encrypted document gives its readers.
public struct DocumentPermissions: OptionSet, Sendable, Hashable {
    public let rawValue: UInt32

    /// Makes a set of permissions.
    ///
    /// - Parameter rawValue: the standard's bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let print = Self(rawValue: 1 << 2)
    public static let change = Self(rawValue: 1 << 3)
    public static let copy = Self(rawValue: 1 << 4)
    public static let annotate = Self(rawValue: 1 << 5)
    public static let fillForms = Self(rawValue: 1 << 8)
    public static let extractForAccessibility = Self(rawValue: 1 << 9)
    public static let assemble = Self(rawValue: 1 << 10)
    public static let printWell = Self(rawValue: 1 << 11)

    /// The names, for JSON.
    public var names: [String] {
        let all: [(Self, String)] = [
            (.print, "print"), (.change, "change"), (.copy, "copy"), (.annotate, "annotate"),
            (.fillForms, "fill-forms"), (.extractForAccessibility, "extract-for-accessibility"),
            (.assemble, "assemble"), (.printWell, "print-well"),
        ]
        return all.filter { contains($0.0) }.map(\.1)
    }
}

extension PageEngine {
    /// The maximum number of pages, and of items, because a damaged document can claim any number. The library counts
    /// no more pages.
    private static let most = 1 << 20

    /// Reads the facts about a document.
    ///
    /// - Parameters:
    ///   - document: the document.
    ///   - password: the password of an encrypted document. Default none.
    ///   - rotations: true to read the rotations of pages, which takes time if any are rotated. Default false.
    ///   - limit: the maximum number of pages to describe; reading one takes about 10 µs. Default all.
    ///   - budget: the limits of each of the jobs, which describe about 1,500 pages each. Its time applies to all jobs
    ///     together, and once to each 16 MiB of a larger document. Default `WorkerBudget()`.
    /// - Returns: the pages, the outline and the properties of the document.
    /// - Throws: the errors of a drawing.
    public func info(
        of document: PageDocument, password: String? = nil, rotations: Bool = false, pages limit: Int = .max,
        budget: WorkerBudget = WorkerBudget()
    ) async throws(DrawingError) -> DocumentInfo {
        var series = AnswerSeries(documentBytes: document.data.count, budget: budget)
        return try await info(
            of: document, password: password, rotations: rotations, pages: limit, budget: budget, &series)
    }

    /// - Parameter series: the limits of the caller's whole query.
    package func info(
        of document: PageDocument, password: String? = nil, rotations: Bool = false, pages limit: Int = .max,
        budget: WorkerBudget, _ series: inout AnswerSeries
    ) async throws(DrawingError) -> DocumentInfo {
        var (info, count) = (DocumentInfo(), UInt32?.none)
        for job in [OFFSTAGE_PAGES_DESCRIBE, OFFSTAGE_PAGES_OUTLINE] {
            var next: UInt32? = 0
            let most = job == OFFSTAGE_PAGES_DESCRIBE ? min(Self.most, max(1, limit)) : Self.most
            while let first = next, first < most {
                var options = offstage_pages_options()
                options.page = first
                if rotations { options.flags = OFFSTAGE_PAGES_ROTATIONS.rawValue }
                let report = try await report(job, options, of: document, page: 1, password, budget, &series) {
                    [count] report throws(DrawingError) in
                    job == OFFSTAGE_PAGES_DESCRIBE
                        ? try report.nextPage(from: first, count: count)
                        : try report.nextItem(from: first, count: count)
                }
                next = report.next
                count = report.report.head.pages
                info.add(report.report)
            }
            if info.pages.count > limit { info.pages.removeLast(info.pages.count - max(0, limit)) }
        }
        return info
    }

    /// The number of a document's pages.
    ///
    /// - Parameters:
    ///   - document: the document.
    ///   - password: the password of an encrypted document. Default none.
    /// - Returns: at least 1.
    /// - Throws: the errors of a drawing.
    public func pageCount(of document: PageDocument, password: String? = nil) async throws(DrawingError) -> Int {
        let budget = WorkerBudget()
        var series = AnswerSeries(documentBytes: document.data.count, budget: budget)
        var options = offstage_pages_options()
        // A report that starts beyond the last page has only the header.
        options.page = .max
        let report = try await report(
            OFFSTAGE_PAGES_DESCRIBE, options, of: document, page: 1, password, budget, &series
        ) { report throws(DrawingError) in
            try report.checkCount(nil)
            return nil
        }
        return Int(report.report.head.pages)
    }

    /// - Parameters:
    ///   - options: all but the job, which is set here.
    ///   - page: for errors, from 1.
    ///   - series: the limits of the whole query.
    ///   - check: checks a report, and returns the start of the next one, or nil.
    func report(
        _ job: offstage_pages_job, _ options: offstage_pages_options, of document: PageDocument, page: Int,
        _ password: String?, _ budget: WorkerBudget, _ series: inout AnswerSeries,
        check: @escaping @Sendable (PageReport) throws(DrawingError) -> UInt32?
    ) async throws(DrawingError) -> (report: PageReport, next: UInt32?) {
        var options = options
        options.job = job.rawValue
        var opened = DocumentPage(document)
        opened.password = password
        options.name(opened.opened)
        let job = try source.job(options, for: document, password: password, budget: budget)
        let result = try await series.value(of: job, from: workers) { answer throws(DrawingError) in
            guard let report = PageReport(answer.report) else { throw .untrueAnswer("the worker sent no report") }
            return (report, try check(report))
        }
        switch result {
        case .failure(let failure): throw PageFailure(failure, page: page).error
        case .success(let found): return found
        }
    }
}

extension DocumentInfo {
    fileprivate mutating func add(_ report: PageReport) {
        pageCount = Int(report.head.pages)
        isEncrypted = report.has(OFFSTAGE_PAGES_ENCRYPTED)
        if isEncrypted { permissions = DocumentPermissions(rawValue: report.head.permissions) }
        hasForm = report.has(OFFSTAGE_PAGES_HAS_FORM)
        isDamaged = report.has(OFFSTAGE_PAGES_REPAIRED)
        for record in report.records {
            let text = record.string ?? ""
            switch offstage_pages_record_kind(rawValue: record.kind) {
            case OFFSTAGE_PAGES_PAGE:
                pages.append(
                    Page(
                        width: Double(record.numbers.1) / 1000, height: Double(record.numbers.2) / 1000,
                        rotation: [90, 180, 270].contains(record.numbers.3) ? Int(record.numbers.3) : 0,
                        label: text.isEmpty ? nil : text))
            case OFFSTAGE_PAGES_ITEM:
                guard let (title, target) = record.pair else { continue }
                let (level, page, top) = (Int(record.numbers.0), Int(record.numbers.1) + 1, Double(record.numbers.2))
                outline.append(
                    Item(
                        title: title, level: max(0, level), page: page > 0 ? page : nil,
                        y: page > 0 && top >= 0 ? (top / 100).rounded() / 10 : nil,
                        target: LinkTarget.harmless(target)))
            case OFFSTAGE_PAGES_LAYER:
                if !text.isEmpty { layers.append(PageLayer(text, isVisible: record.numbers.0 != 0)) }
            case OFFSTAGE_PAGES_INFORMATION:
                if let (key, value) = record.pair { information[key] = value }
            default: break
            }
        }
    }
}
