import Foundation
import Offstage
import Synchronization

/// Annotations to draw above those of a page's document, such as those of an `AnnotationFile`. Requests for the page share them.
public final class PageAnnotations: Sendable {
    /// In the order in which they are drawn.
    public let annotations: [PageAnnotation]
    private let known = Mutex<(wire: Data, digest: Digest)?>(nil)

    /// Wraps annotations.
    ///
    /// - Parameter annotations: in the order in which they are drawn. Those of the kind `.other` are left out.
    public init(_ annotations: [PageAnnotation]) { self.annotations = annotations }

    /// For the worker, and the digest of it. Computed once.
    private var computed: (wire: Data, digest: Digest) {
        known.withLock { known in
            if let known { return known }
            let wire = annotations.flatMap(\.pieces).compactMap(\.wire).reduce(into: Data()) { $0 += $1 }
            let computed = (wire, Digest(of: wire))
            known = computed
            return computed
        }
    }

    /// Empty if nothing is to be drawn.
    var wire: Data { computed.wire }

    /// Identifies what is drawn. It takes time in proportion to the annotations, once.
    var digest: Digest { computed.digest }
}

extension PageAnnotation {
    /// The annotation in parts that a worker accepts, which look the same. A text that is too long is cut off.
    fileprivate var pieces: [PageAnnotation] {
        var whole = self
        if text.utf16.count > Self.most.text {
            whole.text = String(decoding: text.utf16.prefix(Self.most.text), as: UTF16.self)
        }
        if kind != .ink {
            return stride(from: 0, to: max(1, marks.count), by: Self.most.strokes).map { start in
                var piece = whole
                piece.marks = Array(marks.dropFirst(start).prefix(Self.most.strokes))
                return piece
            }
        }
        var (pieces, current, points) = ([PageAnnotation](), [[Point]](), 0)
        func finish() {
            if current.isEmpty { return }
            whole.strokes = current
            pieces.append(whole)
            (current, points) = ([], 0)
        }
        for stroke in strokes where !stroke.isEmpty {
            // The parts of a stroke share a point, so that it has no gap.
            for start in stride(from: 0, to: max(1, stroke.count - 1), by: Self.most.points - 1) {
                let part = Array(stroke[start..<min(stroke.count, start + Self.most.points)])
                if points + part.count > Self.most.points || current.count == Self.most.strokes { finish() }
                current.append(part)
                points += part.count
            }
        }
        finish()
        return pieces
    }
}
