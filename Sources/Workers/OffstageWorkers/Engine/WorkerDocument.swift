import COffstageWire
import Foundation
import Offstage

/// A document's bytes in memory that workers share, so that several jobs need only one copy of them. The memory cannot
/// be changed. Released with the last reference.
public final class WorkerDocument: Sendable {
    let descriptor: OwnedDescriptor
    /// Bytes.
    public let size: Int

    /// Copies a document.
    ///
    /// - Parameter data: the document's bytes.
    /// - Throws: the reason why the system has no memory for it.
    public init(_ data: Data) throws(EngineUnavailable) {
        let file = data.withUnsafeBytes { offstage_wire_sealed($0.baseAddress, $0.count) }
        guard file >= 0 else { throw WorkerSystemError("memory for the document").unavailable }
        descriptor = OwnedDescriptor(file)
        size = data.count
    }
}
