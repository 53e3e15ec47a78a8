/// The attempts at one request, and the next step after each of them: a state machine that needs no engine.
///
/// | Outcome of an attempt | Next |
/// |---|---|
/// | drawn | answer |
/// | drawn, but blank although the document shows something | redraw; the second time answer |
/// | failed, and the process still works | give up |
/// | lost before the commit, and nobody is to blame: see `ProcessLoss.Blame` | again, at most 3 times; then as below, or give up |
/// | crashed | alone, until it has crashed alone twice; then give up |
/// | over memory, in a process that had drawn other documents | alone, once; then give up |
/// | over memory, alone | give up |
/// | hung | give up: the document has used up its time |
/// | ended because of its scripts | give up |
/// | a requirement of all processes is gone | give up |
///
/// One crash may be an accident: something else ended the process. After a redraw, the counts start again from zero.
/// Every request ends after at most six attempts at each of two pictures.
package struct Attempts: Equatable, Sendable {
    package enum Outcome<Value> {
        /// - Parameter isBlank: true if the picture certainly lacks content that the document shows. The process is
        ///   then retired.
        case drawn(Value, isBlank: Bool)
        /// The process still works.
        case failed(DrawingError)
        case lost(ProcessLoss)
    }

    package enum Next<Value> {
        case answer(Value, isBlank: Bool)
        /// Draw in another process, because the picture was blank.
        case redraw
        /// Draw in a process that has drawn nothing else, because the last one ended before it saw the document.
        case again
        /// Draw once more, in a process that has drawn nothing else: the result shows whether the document is to blame.
        case alone
        case giveUp(DrawingError)
    }

    /// True if the process must have drawn nothing else.
    package var needFreshProcess: Bool { blameless > 0 || isOnceMore }

    /// The number of attempts that prove nothing about the document.
    private var blameless = 0
    /// True once the document has been drawn alone.
    private var isOnceMore = false
    /// The crashes in processes that had drawn nothing else.
    private var crashesAlone = 0
    private var isRedrawn = false

    /// After this many processes that ended before they saw the document, no more are tried.
    package static let mostBlameless = 3
    /// A document that has ended this many processes on its own is to blame.
    package static let mostCrashesAlone = 2

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
            guard deservesAnother(loss) else { return .giveUp(loss.error) }
            isOnceMore = true
            return .alone
        }
    }

    private func isOnlyTheProcess(_ loss: ProcessLoss) -> Bool {
        if case .unavailable = loss.cause { return false }
        return loss.blame == .nobody && blameless < Self.mostBlameless
    }

    private mutating func deservesAnother(_ loss: ProcessLoss) -> Bool {
        switch loss.cause {
        case .crashed:
            if loss.blame == .nobody { return false }
            if loss.isAlone { crashesAlone += 1 }
            return crashesAlone < Self.mostCrashesAlone
        // Other documents may have used up the memory.
        case .overMemory: return !loss.isAlone && !isOnceMore
        case .hung, .misbehaved, .unavailable: return false
        }
    }
}

extension Attempts.Outcome: Sendable where Value: Sendable {}
extension Attempts.Next: Sendable where Value: Sendable {}
extension Attempts.Outcome: Equatable where Value: Equatable {}
extension Attempts.Next: Equatable where Value: Equatable {}
