import Offstage

/// An untrue statement by a worker.
enum WorkerLie: Error, Hashable {
    /// The message is not an answer to the job.
    case answer
    /// The picture has no pixels, or more than the limit.
    case size
    /// The picture's memory is missing, is too small, or could still be changed.
    case memory
    /// The worker keeps starting threads.
    case threads

    fileprivate var what: String {
        switch self {
        case .answer: "the worker sent something that is not an answer"
        case .size: "the worker sent a picture with an impossible size"
        case .memory: "the worker sent a picture that is larger than its memory, or that it could still change"
        case .threads: "the worker started more threads than any decoder does"
        }
    }
}

/// The reason why a worker was lost or killed during a drawing.
enum WorkerFault: Error, Hashable {
    /// It ended without an answer.
    case ended
    /// It made a system call that drawing does not need, such as opening a file, connecting or starting a program.
    case forbiddenCall
    case overProcessorTime(WorkerBudget)
    case overTime(WorkerBudget)
    case overMemory(WorkerBudget)
    case lied(WorkerLie)

    /// The code of `DrawingError.unusable` after a forbidden system call.
    static let forbiddenCallCode = "worker-forbidden-call"
    /// The code of `DrawingError.unusable` after an untrue answer.
    static let lieCode = DrawingError.untrueAnswerCode

    /// True for an action that no decoder takes: a document's code, perhaps an earlier document's, has taken over the
    /// worker.
    var isMisconduct: Bool {
        switch self {
        case .forbiddenCall, .lied: true
        case .ended, .overProcessorTime, .overTime, .overMemory: false
        }
    }

    /// True if the worker may have been taken over earlier, in which case this document is innocent.
    var accuses: Bool {
        switch self {
        case .ended, .overMemory: false
        case .overTime, .overProcessorTime, .forbiddenCall, .lied: true
        }
    }

    /// The cause for the life of the process.
    var cause: ProcessLoss.Cause {
        switch self {
        case .ended: .crashed
        case .overTime(let budget): .hung(seconds: budget.seconds)
        case .overProcessorTime(let budget): .hung(seconds: Double(budget.processorSeconds))
        case .overMemory(let budget):
            .overMemory(LimitExcess(.memory, allowed: budget.memory, measured: budget.memory))
        case .forbiddenCall: .misbehaved("the worker made a forbidden system call")
        case .lied(let lie): .misbehaved(lie.what)
        }
    }

    /// The error for a fault that identifies the document as the cause: another attempt would end in the same way. Nil
    /// if the outcome depends on the loss of the process.
    var error: DrawingError? {
        switch self {
        case .ended, .overMemory, .overTime: nil
        case .overProcessorTime(let budget):
            .overLimit(
                LimitExcess(
                    .processorSeconds, allowed: budget.processorSeconds, measured: budget.processorSeconds))
        case .forbiddenCall:
            .unusable(
                SourceProblem(
                    Self.forbiddenCallCode,
                    "during the drawing, the worker tried to open a file, to connect or to start a program, and was "
                        + "killed; the document may be an attack"))
        case .lied(let lie):
            .unusable(SourceProblem(Self.lieCode, "\(lie.what), and was killed; the document may be an attack"))
        }
    }
}
