/// A requirement of an engine that this machine does not meet, with a remedy.
public struct EngineUnavailable: Error, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The problem, as a sentence without its full stop.
    public var problem: String
    /// The package to install, or the setting to change.
    public var remedy: String

    public init(problem: String, remedy: String) {
        self.problem = problem
        self.remedy = remedy
    }

    public var description: String { "\(problem); \(remedy)" }
}
