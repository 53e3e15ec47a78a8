import COffstagePages
import Foundation

/// Options for saving annotations into a document.
public struct SavingOptions: Sendable {
    /// True to allow documents that are certified against changes, or whose permissions forbid annotations. Default
    /// false.
    public var isForced: Bool
    /// The time of the change, for annotations without one. Default nil: they get none, and the same annotations give
    /// the same bytes again.
    public var modified: Date?
    /// The password of an encrypted document. Default none.
    public var password: String?

    /// Makes options.
    ///
    /// - Parameters:
    ///   - isForced: true to allow documents that are certified against changes, or whose permissions forbid
    ///     annotations. Default false.
    ///   - modified: the time of the change, for annotations without one. Default none.
    ///   - password: the password of an encrypted document. Default none.
    public init(isForced: Bool = false, modified: Date? = nil, password: String? = nil) {
        (self.isForced, self.modified, self.password) = (isForced, modified, password)
    }
}

/// A document with annotations that were saved into it.
public struct SavedAnnotations: Sendable {
    /// A difference between the saved annotations and the annotation file.
    public struct Warning: Sendable, Hashable, CustomStringConvertible {
        public enum Problem: Sendable, Hashable {
            /// No installed font has a character of a free text. The text itself is in the document.
            case textMissing
            /// A free text is longer than its box. Its end is not shown, but is in the document.
            case textCut
            /// Ink, a mark, a line or a polygon without the points that its kind requires was left out.
            case empty
            /// An annotation of the kind `.other` is not in the document, and cannot be created.
            case kindUnknown
            /// The document has no annotation with the identifier to delete.
            case identifierUnknown
        }

        public var problem: Problem
        /// From 1.
        public var page: Int

        public var description: String {
            switch problem {
            case .textMissing:
                "page \(page): no installed font has some characters of a free text; install one that does"
            case .textCut:
                "page \(page): a free text is longer than its box, so its end is not shown; make the box larger"
            case .empty: "page \(page): an annotation without the points that its kind requires was left out"
            case .kindUnknown: "page \(page): an annotation of a kind that Offstage cannot create was left out"
            case .identifierUnknown: "page \(page): an annotation to delete is not in the document"
            }
        }
    }

    /// The document's old bytes, followed by an update.
    public var document: PageDocument
    /// Each once, in the order of pages.
    public var warnings: [Warning]

    init(_ document: PageDocument, _ warnings: [offstage_pages_edit_warning]) {
        self.document = document
        var known: Set<Warning> = []
        self.warnings = warnings.compactMap(Warning.init).filter { known.insert($0).inserted }
    }
}

extension SavedAnnotations.Warning {
    /// Nil for a number that no version of the worker sends.
    fileprivate init?(_ warning: offstage_pages_edit_warning) {
        switch offstage_pages_edit_problem(rawValue: warning.problem) {
        case OFFSTAGE_PAGES_EDIT_TEXT: problem = .textMissing
        case OFFSTAGE_PAGES_EDIT_CUT: problem = .textCut
        case OFFSTAGE_PAGES_EDIT_EMPTY: problem = .empty
        case OFFSTAGE_PAGES_EDIT_KIND: problem = .kindUnknown
        case OFFSTAGE_PAGES_EDIT_MISSING: problem = .identifierUnknown
        default: return nil
        }
        page = Int(min(warning.page, UInt32(Int32.max - 1))) + 1
    }
}
