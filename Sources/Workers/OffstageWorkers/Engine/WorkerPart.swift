import Foundation

/// A message that a worker sends before its answer, such as peaks while it decodes a sound. Untrusted.
public struct WorkerPart: Sendable {
    /// From 0, in order.
    public var number: Int
    /// At most 65,536.
    public var bytes: Data
    /// The bytes of the document that were read, and their total number.
    public var done: UInt64
    public var total: UInt64
    /// Two numbers, whose meaning depends on the source.
    public var numbers: [UInt64]
}
