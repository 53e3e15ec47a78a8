import COffstageWire
import Foundation

/// A drawing for a worker.
public struct WorkerJob: Sendable {
    /// The document's bytes. Untrusted.
    public var document: Data
    /// What the worker has to know besides, in a form that its program reads. At most 65,536 bytes.
    public var options: Data
    /// The limits.
    public var budget: WorkerBudget

    /// Makes a job.
    ///
    /// - Parameters:
    ///   - document: the document's bytes.
    ///   - options: at most 65,536 bytes. Default none.
    ///   - budget: the limits. Default `WorkerBudget()`.
    public init(document: Data, options: Data = Data(), budget: WorkerBudget = WorkerBudget()) {
        self.document = document
        self.options = options
        self.budget = budget
    }

    /// The most bytes of options.
    static let mostOptions = Int(OFFSTAGE_WIRE_PAYLOAD)
}
