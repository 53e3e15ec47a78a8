import Foundation
import Offstage
import Synchronization

/// Annotations to draw above those of a page's document, such as those of an `AnnotationFile`. Requests for the page share them.
public final class PageAnnotations: Sendable {
    /// In drawing order.
    public let annotations: [PageAnnotation]
    /// Identifiers of the document's own annotations to hide.
    public let removed: [String]
    private let known = Mutex<(wire: Data, digest: Digest)?>(nil)

    /// Wraps annotations.
    ///
    /// - Parameters:
    ///   - annotations: in drawing order. Annotations of the kind `.other` are left out. An annotation with the name of
    ///     one of the document's own replaces it; names derived from object numbers are ignored.
    ///   - removed: names of the document's own annotations to hide. Default none.
    public init(_ annotations: [PageAnnotation], removed: [String] = []) {
        (self.annotations, self.removed) = (annotations, removed)
    }

    /// The data for the worker, and its digest. Computed once.
    private var computed: (wire: Data, digest: Digest) {
        known.withLock { known in
            if let known { return known }
            let removals = removed.map { PageAnnotation.removal(of: $0, page: 0) }
            let wire = (removals + annotations.compactMap(\.wire)).reduce(into: Data()) { $0 += $1 }
            let computed = (wire, Digest(of: wire))
            known = computed
            return computed
        }
    }

    /// Empty if there is nothing to draw.
    var wire: Data { computed.wire }

    /// Identifies the content. Takes time in proportion to the annotations, once.
    var digest: Digest { computed.digest }
}
