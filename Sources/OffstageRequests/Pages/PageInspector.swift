import Dispatch
import Foundation
import Offstage
import OffstagePages
import OffstageWorkers
import Synchronization

/// Reads what documents say about themselves, before and beside a run. Its workers end with this process.
enum PageInspector {
    /// A process has one kind of jail.
    private static let shared = Mutex<PageEngine?>(nil)

    static func jail(_ options: ParsedOptions) throws(UsageError) -> WorkerJail {
        try EngineOptions(options).sandbox.jail
    }

    private static func engine(_ jail: WorkerJail) -> PageEngine {
        shared.withLock { engine in
            if let engine { return engine }
            let new = PageEngine(workers: 1, jail: jail)
            engine = new
            return new
        }
    }

    /// Blocks the thread, which must not be one of Swift's pool.
    ///
    /// - Returns: the number of pages; nil if the document cannot be read.
    static func count(_ document: SourceDocument, _ settings: PageSettings, _ jail: WorkerJail) -> Int? {
        guard let document = try? settings.document(document) else { return nil }
        let engine = engine(jail)
        let (isDone, count) = (DispatchSemaphore(value: 0), PageCount())
        Task.detached {
            let number = try? await engine.pageCount(of: document, password: settings.page.password)
            count.value.withLock { $0 = number }
            isDone.signal()
        }
        isDone.wait()
        return count.value.withLock { $0 }
    }

    static func info(_ document: SourceDocument, _ options: ParsedOptions) async throws -> SourceInfo {
        let settings = try PageSettings(options)
        let info = try await engine(try jail(options)).info(
            of: try settings.document(document), password: settings.page.password, rotations: true,
            budget: settings.page.budget)
        return SourceInfo(info)
    }
}

/// Carries a number of pages to the thread that waits for it.
private final class PageCount: Sendable {
    let value = Mutex<Int?>(nil)
}
