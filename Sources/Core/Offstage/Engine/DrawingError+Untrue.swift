extension DrawingError {
    /// Makes the error for a worker's answer that cannot be true for its document. Its code is that of all answers for
    /// which the host kills the worker.
    ///
    /// - Parameter what: the untrue statement, such as `the worker listed a page twice`.
    /// - Returns: the error.
    package static func untrueAnswer(_ what: String) -> DrawingError {
        .unusable(SourceProblem(untrueAnswerCode, "\(what); the document may be an attack"))
    }

    /// The code of errors after an untrue answer.
    package static let untrueAnswerCode = "worker-invalid-answer"

    /// True after an untrue answer.
    package var isUntrueAnswer: Bool {
        if case .unusable(let problem) = self { problem.code == Self.untrueAnswerCode } else { false }
    }
}
