/// The life of one process that draws for an engine: its state machine. It draws one document at a time.
///
/// A pure value: it starts, watches and ends nothing. The engine reports each event, and asks whether the process may draw.
///
/// | Event | starting | ready | worn | retired | lost | closed |
/// |---|---|---|---|---|---|---|
/// | `start`: the first sign of life | ready | – | – | – | – | – |
/// | `begin`: a document is to be drawn | draws | draws | draws | refused | refused | refused |
/// | `wear`: a successor is to take over | worn | worn | – | – | – | – |
/// | `retire`: it must draw nothing more | retired | retired | retired | – | – | – |
/// | `lose`: it ended, hung or was ended | lost | lost | lost | lost | – | – |
/// | `close`: the engine lets go of it | closed | closed | closed | closed | closed | – |
///
/// A dash means that the event changes nothing: the first loss and the first wear count. No event leads back to an earlier state.
///
/// Beside the state, `work` is what the process does. A loss leaves the work as it is, until the drawing has noticed:
///
/// | Event | idle | drawing | leaving |
/// |---|---|---|---|
/// | `begin`, not refused | drawing, expected or written | – | refused |
/// | `commit` | – | expected becomes committed | – |
/// | `finish` | – | idle; leaving where page scripts may go on and the process is usable | – |
/// | `left` | – | – | idle |
package struct ProcessLife: Equatable, Sendable {
    package enum State: Equatable, Sendable {
        /// It has not given a sign of life.
        case starting
        case ready
        /// It goes on until its successor is ready.
        case worn(Wear)
        /// Nothing went wrong with it, and it draws no more.
        case retired(Retirement)
        case lost(ProcessLoss)
        /// The engine has let go of it, after a loss or without one.
        case closed(after: ProcessLoss?)
    }

    package enum Work: Equatable, Sendable {
        case idle
        case drawing(Document)
        /// The scripts of its last document are being stopped.
        case leaving
    }

    /// How far the document that it draws has come.
    package enum Document: Equatable, Sendable {
        /// The process has not seen the document. What happens now is an older document's doing, or its own.
        case expected
        /// The first byte has arrived.
        case committed
        /// It was written into the page of an older document, which may be to blame for a crash.
        case written
    }

    /// Why a successor is to take over.
    package enum Wear: Equatable, Sendable {
        case drawings
        case memory
        /// Its documents used fonts in many ways.
        case fonts
    }

    /// Why it must draw nothing more, though nothing went wrong with it.
    package enum Retirement: Equatable, Sendable {
        /// The last picture lacks what the document shows.
        case blank
        /// Its documents used fonts in too many ways: the next picture could be wrong.
        case fonts
        /// Page scripts left steps of history, which the next document could read.
        case history
    }

    package private(set) var state = State.starting
    package private(set) var work = Work.idle
    /// How many drawings have begun.
    package private(set) var drawings = 0

    package init() {}

    /// It may draw another document, now or when it has started or left the last one.
    package var isUsable: Bool {
        switch state {
        case .starting, .ready, .worn: true
        case .retired, .lost, .closed: false
        }
    }

    /// It can draw at once.
    package var isFree: Bool { isUsable && state != .starting && work == .idle }

    package var isWorn: Bool { if case .worn = state { true } else { false } }

    package var isClosed: Bool { if case .closed = state { true } else { false } }

    /// The first loss, also after `close`.
    package var loss: ProcessLoss? {
        switch state {
        case .lost(let loss), .closed(let loss?): loss
        default: nil
        }
    }

    /// Why it cannot draw; nil while it can. A process that was closed or retired counts as one that ended before it saw the
    /// document.
    package var refusal: ProcessLoss? {
        isUsable ? nil : loss ?? ProcessLoss(.crashed, blame: .nobody, isAlone: drawings <= 1)
    }
}

extension ProcessLife {
    /// Notes a sign of life.
    ///
    /// - Returns: whether it is the first.
    package mutating func start() -> Bool {
        guard state == .starting else { return false }
        state = .ready
        return true
    }

    /// Gives the process a document to draw.
    ///
    /// - Parameter document: `.expected`, or `.written` for one that goes into the page of an older one.
    /// - Throws: why the process cannot draw it. The loss blames nobody: the process has not seen the document.
    package mutating func begin(_ document: Document) throws(ProcessLoss) {
        if let refusal { throw ProcessLoss(refusal.cause, blame: .nobody, isAlone: refusal.isAlone) }
        precondition(work == .idle, "the process draws another document or is leaving one")
        work = .drawing(document)
        drawings += 1
    }

    /// The document's first byte has arrived in the process.
    package mutating func commit() {
        if isUsable, work == .drawing(.expected) { work = .drawing(.committed) }
    }

    /// The drawing is over, with a picture or without.
    ///
    /// - Parameter mustLeave: the document's scripts may go on, and are to be stopped before the next drawing.
    package mutating func finish(mustLeave: Bool) {
        if case .drawing = work { work = mustLeave && isUsable ? .leaving : .idle }
    }

    /// The last document is gone.
    package mutating func left() {
        if work == .leaving { work = .idle }
    }

    package mutating func wear(_ wear: Wear) {
        if isUsable, !isWorn { state = .worn(wear) }
    }

    package mutating func retire(_ retirement: Retirement) {
        if isUsable { state = .retired(retirement) }
    }

    /// - Parameter blame: nil to conclude it from how far the document has come.
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
        // What hangs before the commit is the document before, after its picture. Without one, the process takes too long
        // to start, and the document's time is over.
        case .hung: document == .expected && drawings > 1 ? .nobody : .document
        case .overMemory, .misbehaved: .document
        case .unavailable: .nobody
        }
    }
}
