extension DrawingError {
    /// The error for an answer that cannot be true for the worker's document. It has the code of answers that end a
    /// worker.
    ///
    /// - Parameter what: the untrue statement, such as `its process listed a page twice`.
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
