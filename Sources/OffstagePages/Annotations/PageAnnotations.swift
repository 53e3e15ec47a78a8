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
        var (pieces, current, points, widths) = ([PageAnnotation](), [[Point]](), 0, [[Double]]())
        func finish() {
            if current.isEmpty { return }
            whole.strokes = current
            whole.pen?.widths = widths
            pieces.append(whole)
            (current, points, widths) = ([], 0, [])
        }
        let varies = pen.map { $0.widths.map(\.count) == strokes.map(\.count) } ?? false
        // A width takes half as much room as a point.
        let most = pen == nil ? Self.most.points : Self.most.points * 2 / 3
        for (number, stroke) in strokes.enumerated() where !stroke.isEmpty {
            // The parts of a stroke share a point, so that it has no gap.
            for start in stride(from: 0, to: max(1, stroke.count - 1), by: most - 1) {
                let range = start..<min(stroke.count, start + most)
                if points + range.count > most || current.count == Self.most.strokes { finish() }
                current.append(Array(stroke[range]))
                if varies, let pen { widths.append(Array(pen.widths[number][range])) }
                points += range.count
            }
        }
        finish()
        return pieces
    }
}
