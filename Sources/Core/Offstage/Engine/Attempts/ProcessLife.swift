/// The life of a drawing process, as a state machine. The process draws one document at a time.
///
/// A pure value: it does not start, watch or end anything. The engine reports each event, and asks whether the process
/// may draw.
///
/// | Event | starting | ready | worn | retired | lost | closed |
/// |---|---|---|---|---|---|---|
/// | `start`: the first answer | ready | – | – | – | – | – |
/// | `begin`: it gets a document to draw | draws | draws | draws | refused | refused | refused |
/// | `wear`: a successor must replace it | worn | worn | – | – | – | – |
/// | `retire`: it must draw nothing more | retired | retired | retired | – | – | – |
/// | `lose`: it ended, hung or was killed | lost | lost | lost | lost | – | – |
/// | `close`: the engine releases it | closed | closed | closed | closed | closed | – |
///
/// A dash means that the event changes nothing: only the first loss and the first wear count. No event returns to an
/// earlier state.
///
/// In addition to the state, `work` describes the process's current activity. A loss does not change it until the
/// drawing has noticed the loss:
///
/// | Event | idle | drawing | leaving |
/// |---|---|---|---|
/// | `begin`, not refused | drawing, expected or written | – | refused |
/// | `commit` | – | expected becomes committed | – |
/// | `finish` | – | idle; leaving if page scripts may still run and the process is usable | – |
/// | `left` | – | – | idle |
package struct ProcessLife: Equatable, Sendable {
    package enum State: Equatable, Sendable {
        /// It has not yet answered.
        case starting
        case ready
        /// It continues to draw until its successor is ready.
        case worn(Wear)
        /// Nothing went wrong with it, but it must not draw any more.
        case retired(Retirement)
        case lost(ProcessLoss)
        /// The engine has released it, perhaps after a loss.
        case closed(after: ProcessLoss?)
    }

    package enum Work: Equatable, Sendable {
        case idle
        case drawing(Document)
        /// The engine is stopping the scripts of its last document.
        case leaving
    }

    /// The progress of the current document.
    package enum Document: Equatable, Sendable {
        /// The process has not seen the document. Whatever happens now is caused by an older document or by the process
        /// itself.
        case expected
        /// The first byte has arrived.
        case committed
        /// The document was written into the page of an older document, which may be to blame for a crash.
        case written
    }

    /// The reason for replacing the process.
    package enum Wear: Equatable, Sendable {
        case drawings
        case memory
        /// Its documents used fonts in many ways.
        case fonts
    }

    /// The reason why the process must not draw any more, although nothing went wrong with it.
    package enum Retirement: Equatable, Sendable {
        /// The last picture lacks content that the document shows.
        case blank
        /// Its documents used fonts in too many ways: the next picture could be wrong.
        case fonts
        /// Page scripts left history entries, which the next document could read.
        case history
    }

    package private(set) var state = State.starting
    package private(set) var work = Work.idle
    /// The number of drawings that have begun.
    package private(set) var drawings = 0

    package init() {}

    /// True if it may draw another document, perhaps after it has started or has left the last one.
    package var isUsable: Bool {
        switch state {
        case .starting, .ready, .worn: true
        case .retired, .lost, .closed: false
        }
    }

    /// True if it can draw at once.
    package var isFree: Bool { isUsable && state != .starting && work == .idle }

    package var isWorn: Bool { if case .worn = state { true } else { false } }

    package var isClosed: Bool { if case .closed = state { true } else { false } }

    /// The first loss, even after `close`.
    package var loss: ProcessLoss? {
        switch state {
        case .lost(let loss), .closed(let loss?): loss
        default: nil
        }
    }

    /// The reason why it cannot draw; nil if it can. A closed or retired process counts as one that ended before it saw
    /// the document.
    package var refusal: ProcessLoss? {
        isUsable ? nil : loss ?? ProcessLoss(.crashed, blame: .nobody, isAlone: drawings <= 1)
    }
}

extension ProcessLife {
    /// Records an answer from the process.
    ///
    /// - Returns: true if it is the first answer.
    package mutating func start() -> Bool {
        guard state == .starting else { return false }
        state = .ready
        return true
    }

    /// Gives the process a document to draw.
    ///
    /// - Parameter document: `.expected`, or `.written` for a document that is written into the page of an older one.
    /// - Throws: the reason why the process cannot draw it. The loss blames no document, because the process has not
    ///   seen the document.
    package mutating func begin(_ document: Document) throws(ProcessLoss) {
        if let refusal { throw ProcessLoss(refusal.cause, blame: .nobody, isAlone: refusal.isAlone) }
        precondition(work == .idle, "the process is drawing another document, or leaving one")
        work = .drawing(document)
        drawings += 1
    }

    /// Records that the document's first byte has arrived in the process.
    package mutating func commit() {
        if isUsable, work == .drawing(.expected) { work = .drawing(.committed) }
    }

    /// Records that the drawing has ended, with or without a picture.
    ///
    /// - Parameter mustLeave: true if the document's scripts may still run, so the engine must stop them before the
    ///   next drawing.
    package mutating func finish(mustLeave: Bool) {
        if case .drawing = work { work = mustLeave && isUsable ? .leaving : .idle }
    }

    /// Records that the scripts of the last document have stopped.
    package mutating func left() {
        if work == .leaving { work = .idle }
    }

    package mutating func wear(_ wear: Wear) {
        if isUsable, !isWorn { state = .worn(wear) }
    }

    package mutating func retire(_ retirement: Retirement) {
        if isUsable { state = .retired(retirement) }
    }

    /// - Parameter blame: nil to derive it from the progress of the document.
    package mutating func lose(_ cause: ProcessLoss.Cause, blame: ProcessLoss.Blame? = nil) {
        switch state {
        case .starting, .ready, .worn, .retired:
            state = .lost(ProcessLoss(cause, blame: blame ?? self.blame(for: cause), isAlone: drawings <= 1))
        case .lost, .closed: break
        }
    }

    package mutating func close() {
        if !isClosed { state = .closed(after: loss) }
    }

    private func blame(for cause: ProcessLoss.Cause) -> ProcessLoss.Blame {
        guard case .drawing(let document) = work else { return .nobody }
        return switch cause {
        case .crashed: document == .committed ? .document : .nobody
        // Before the commit, it is the previous document that hangs, after its picture. Without a previous document,
        // the process takes too long to start, and the document's time is used up.
        case .hung: document == .expected && drawings > 1 ? .nobody : .document
        case .overMemory, .misbehaved: .document
        case .unavailable: .nobody
        }
    }
}
