extension DrawingError {
    /// The error of a worker's answer that its document cannot have. It has the code of answers that end a worker.
    ///
    /// - Parameter what: the untrue statement, such as `its process listed a page twice`.
    /// - Returns: the error.
    package static func untrueAnswer(_ what: String) -> DrawingError {
        .unusable(SourceProblem("worker-invalid-answer", "\(what); the document may be an attack"))
    }
}
