extension RequestGate.Refusal {
    /// - Parameter limit: bytes of a body.
    func problem(limit: Int) -> Problem {
        switch self {
        case .malformed(let problem):
            Problem(400, "malformed-request", "the request is not HTTP as RFC 9112 has it: \(problem)")
        case .headTooLarge:
            Problem(431, "head-too-large", "the request's headers have more than \(RequestGate.longestHead) bytes")
        case .bodyTooLarge:
            Problem(
                413, "body-too-large",
                "the request's body has more than \(limit) bytes; send less, or start the service with a larger --max-body"
            )
        }
    }
}
