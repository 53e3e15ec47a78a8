import Foundation
import Synchronization

/// Receives the records that a worker sends while it reads a document, on the worker's thread.
final class InkCollector: Sendable {
    private let state: Mutex<State>
    private let report: (@Sendable (InkSlice) -> Void)?

    private struct State {
        var stream: InkRecordStream
        /// The number of items in the next slice: few at first, so that something appears at once, and then more, so
        /// that slices cost little.
        var sliceItems = 64
        var isFirst = true
    }

    /// The maximum number of items in a slice.
    private static let mostItems = 2_048

    init(report: (@Sendable (InkSlice) -> Void)?) {
        self.report = report
        state = Mutex(State(stream: InkRecordStream(makesSlices: report != nil)))
    }

    /// - Parameter begins: true if earlier records are void, because another worker sends the document, or the same one
    ///   starts over.
    func take(_ bytes: Data, begins: Bool) {
        let slice = state.withLock { state -> InkSlice? in
            if begins {
                state = State(stream: InkRecordStream(makesSlices: report != nil))
            }
            guard state.stream.append(bytes),
                var slice = state.stream.takeSlice(ofAtLeast: state.sliceItems)
            else { return nil }
            slice.isFirst = state.isFirst
            state.isFirst = false
            state.sliceItems = min(2 * state.sliceItems, Self.mostItems)
            return slice
        }
        if let slice { report?(slice) }
    }

    /// The document; nil if the received bytes are not one.
    func finish() -> Ink? {
        let (slice, ink) = state.withLock { state -> (InkSlice?, Ink?) in
            var slice = state.stream.takeSlice(ofAtLeast: 1)
            slice?.isFirst = state.isFirst
            return (slice, state.stream.finished)
        }
        if let slice { report?(slice) }
        return ink
    }
}
