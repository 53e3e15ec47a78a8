/// What an engine needs and this machine does not give, with what to do about it.
public struct EngineUnavailable: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, in a sentence without its full stop.
    public var problem: String
    /// What to install or set.
    public var remedy: String

    public init(problem: String, remedy: String) {
        self.problem = problem
        self.remedy = remedy
    }

    public var description: String { "\(problem); \(remedy)" }
}
