import COffstageWire
import Foundation
import Offstage

/// A drawing for a worker.
public struct WorkerJob: Sendable {
    /// The document's bytes. Untrusted. Empty if it is in `file` or `shared`.
    public var document: Data
    /// The document's bytes, if several jobs have the same; nil, the default, if they are in `document`.
    public var shared: WorkerDocument?
    /// The document, for a program that reads it piece by piece; nil, the default, if it is in `document`.
    public var file: WorkerFile?
    /// Takes the parts that the program sends before its answer, in order, on a thread of the worker. Another part with
    /// the number 0 means that the job has started again, because an earlier worker was lost. Nil, the
    /// default, for a program that sends none. Their bytes are untrusted.
    public var takePart: (@Sendable (WorkerPart) -> Void)?
    /// Checks the answer, on a thread of the worker. If the check throws the error of an untrue answer, the worker is
    /// killed, and the job runs once more if an earlier job may have taken over the worker. Nil, the default, for no
    /// check.
    var check: (@Sendable (WorkerAnswer) throws(DrawingError) -> Void)?
    /// The options for the worker, in the form that its program reads. At most 65,536 bytes.
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

    /// The document's bytes.
    var documentBytes: Int { file?.size ?? shared?.size ?? document.count }

    /// The maximum number of bytes of options.
    static let mostOptions = Int(OFFSTAGE_WIRE_PAYLOAD)
}
