/// The attempts at one request, and the choice of the next step after each: a state machine without an engine.
///
/// | Outcome of an attempt | Next |
/// |---|---|
/// | drawn | answer |
/// | drawn, and blank where the document shows something | redraw; the second time answer |
/// | failed in a process that works on | give up |
/// | lost before the commit, and nobody is to blame: see `ProcessLoss.Blame` | again, at most 3 times; then as below |
/// | crashed | alone, once; then give up |
/// | over memory, in a process that had drawn other documents | alone, once; then give up |
/// | over memory, alone | give up |
/// | hung | give up: the document has had its time |
/// | ended for what its scripts did | give up |
/// | what all processes need is gone | give up |
///
/// After a redraw the counts begin anew. Every request ends: after at most five attempts at each of two pictures.
package struct Attempts: Equatable, Sendable {
    package enum Outcome<Value> {
        /// - Parameter isBlank: the picture surely lacks what the document shows. The process is retired.
        case drawn(Value, isBlank: Bool)
        /// The process works on.
        case failed(DrawingError)
        case lost(ProcessLoss)
    }

    package enum Next<Value> {
        case answer(Value, isBlank: Bool)
        /// Draw in another process: the picture was blank.
        case redraw
        /// Draw in a process that has drawn nothing else: the last one ended before it saw the document.
        case again
        /// Draw once more, in a process that has drawn nothing else: that shows who is to blame.
        case alone
        case giveUp(DrawingError)
    }

    /// The process must have drawn nothing else.
    package var needFreshProcess: Bool { blameless > 0 || isOnceMore }

    /// Attempts that say nothing about the document.
    private var blameless = 0
    /// The "once more, alone" is used up.
    private var isOnceMore = false
    private var isRedrawn = false

    /// Where so many processes end before they see the document, nobody else is to blame either.
    package static let mostBlameless = 3

    package init() {}

    /// Chooses the next step. The request ends with `answer` and `giveUp`.
    package mutating func next<Value>(after outcome: Outcome<Value>) -> Next<Value> {
        switch outcome {
        case .drawn(let value, let isBlank):
            if !isBlank || isRedrawn { return .answer(value, isBlank: isBlank) }
            self = Attempts()
            isRedrawn = true
            return .redraw
        case .failed(let error):
            return .giveUp(error)
        case .lost(let loss):
            if isOnlyTheProcess(loss) {
                blameless += 1
                return .again
            }
            guard !isOnceMore, Self.deservesAnother(loss) else { return .giveUp(loss.error) }
            isOnceMore = true
            return .alone
        }
    }

    private func isOnlyTheProcess(_ loss: ProcessLoss) -> Bool {
        if case .unavailable = loss.cause { return false }
        return loss.blame == .nobody && blameless < Self.mostBlameless
    }

    private static func deservesAnother(_ loss: ProcessLoss) -> Bool {
        switch loss.cause {
        case .crashed: true
        // Other documents may have filled the process.
        case .overMemory: !loss.isAlone
        case .hung, .misbehaved, .unavailable: false
        }
    }
}

extension Attempts.Outcome: Sendable where Value: Sendable {}
extension Attempts.Next: Sendable where Value: Sendable {}
extension Attempts.Outcome: Equatable where Value: Equatable {}
extension Attempts.Next: Equatable where Value: Equatable {}
