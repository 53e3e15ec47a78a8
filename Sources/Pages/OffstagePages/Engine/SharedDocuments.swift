import Foundation
import Offstage
import OffstageWorkers
import Synchronization

/// An engine's most recent documents, in the workers' form. Jobs for pages of the same document share one copy of its
/// bytes.
final class SharedDocuments: Sendable {
    private struct Entry: Sendable {
        weak var document: PageDocument?
        let shared: WorkerDocument
    }

    private let entries = Mutex<[Entry]>([])
    /// The maximum number of documents.
    private static let most = 2
    /// The sizes to share, in bytes. Smaller documents are copied for each job; larger ones would be in memory twice.
    private static let sizes = 64 << 10...256 << 20

    /// The document's bytes for several jobs; nil if each job should have its own.
    func shared(_ document: PageDocument) throws(DrawingError) -> WorkerDocument? {
        guard Self.sizes.contains(document.data.count) else { return nil }
        do {
            return try entries.withLock { entries in
                if let index = entries.firstIndex(where: { $0.document === document }) {
                    let entry = entries.remove(at: index)
                    entries.append(entry)
                    return entry.shared
                }
                let new = Entry(document: document, shared: try WorkerDocument(document.data))
                entries = entries.filter { $0.document != nil }.suffix(Self.most - 1) + [new]
                return new.shared
            }
        } catch let error as EngineUnavailable {
            throw .unavailable(error)
        } catch { return nil }
    }

    func removeAll() { entries.withLock { $0 = [] } }
}
