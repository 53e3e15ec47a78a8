/// How an engine lost a process that draws, and who is to blame.
package struct ProcessLoss: Error, Equatable, Sendable {
    package enum Cause: Equatable, Sendable {
        /// It ended.
        case crashed
        /// It gave no answer for so many seconds after the deadline.
        case hung(seconds: Double)
        /// It had more memory than it may have, and was ended.
        case overMemory(LimitExcess)
        /// Its document did what no document needs, and the process was ended. The text says what.
        case misbehaved(String)
        /// What all processes of the engine need is gone, such as a display.
        case unavailable(EngineUnavailable)
    }

    package enum Blame: Equatable, Sendable {
        /// The document that was being drawn, as far as can be known.
        case document
        /// Surely not the document that was being drawn: the process had not seen it, or has seen an older one, too.
        case nobody
    }

    package var cause: Cause
    package var blame: Blame
    /// The process had drawn nothing else.
    package var isAlone: Bool

    package init(_ cause: Cause, blame: Blame, isAlone: Bool) {
        self.cause = cause
        self.blame = blame
        self.isAlone = isAlone
    }

    /// The error for a request that is not tried again.
    package var error: DrawingError {
        switch cause {
        case .crashed: .engineCrashed
        case .hung(let seconds): .engineHung(seconds: seconds)
        case .overMemory(let excess): .overLimit(excess)
        case .misbehaved(let text): .engineFailed(text)
        case .unavailable(let reason): .unavailable(reason)
        }
    }
}
