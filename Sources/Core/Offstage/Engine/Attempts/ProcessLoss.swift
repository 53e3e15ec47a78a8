/// The loss of a drawing process: its cause, and who is to blame.
package struct ProcessLoss: Error, Equatable, Sendable {
    package enum Cause: Equatable, Sendable {
        /// It ended.
        case crashed
        /// It did not answer for this many seconds after the deadline.
        case hung(seconds: Double)
        /// It exceeded its memory limit, and the engine killed it.
        case overMemory(LimitExcess)
        /// Its document did something that no document needs, and the engine killed the process. The text describes the
        /// action.
        case misbehaved(String)
        /// A requirement of all the engine's processes is gone, such as a display.
        case unavailable(EngineUnavailable)
    }

    package enum Blame: Equatable, Sendable {
        /// The current document, as far as the engine can tell.
        case document
        /// Certainly not the current document alone: the process had not seen it, or has also seen an older one.
        case nobody
    }

    package var cause: Cause
    package var blame: Blame
    /// True if the process had drawn nothing else.
    package var isAlone: Bool

    package init(_ cause: Cause, blame: Blame, isAlone: Bool) {
        self.cause = cause
        self.blame = blame
        self.isAlone = isAlone
    }

    /// The error for a request that gets no further attempt.
    package var error: DrawingError {
        switch cause {
        case .crashed:
            blame == .document
                ? .engineCrashed : .engineFailed("several processes in a row ended before they received the document")
        case .hung(let seconds): .engineHung(seconds: seconds)
        case .overMemory(let excess): .overLimit(excess)
        case .misbehaved(let text): .engineFailed(text)
        case .unavailable(let reason): .unavailable(reason)
        }
    }
}
