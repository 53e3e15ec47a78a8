import Dispatch
import Offstage
import OffstageWorkers
import Synchronization

/// Reads facts about documents, before and during a run: one engine with one worker for each kind of source, made on
/// first use. Its worker ends with this process.
enum Inspection {
    private static let all = Mutex<[ObjectIdentifier: any JailedEngine]>([:])

    /// Returns the engine of a kind, and makes it on first use. All engines of a process have the same kind of jail.
    static func engine<Kind: JailedEngine>(_ kind: Kind.Type, _ options: ParsedOptions) throws(UsageError) -> Kind {
        let engines = try EngineOptions(options)
        return all.withLock { all in
            if let known = all[ObjectIdentifier(kind)] as? Kind { return known }
            let new = Kind(workers: 1, jail: engines.sandbox.jail, fresh: engines.fresh)
            all[ObjectIdentifier(kind)] = new
            return new
        }
    }

    /// Starts a worker and reports how it is jailed, for `doctor`.
    static func protections<Kind: JailedEngine>(of kind: Kind.Type) -> WorkerCheck {
        { options throws(EngineUnavailable) in
            let engine = Kind(workers: 1, jail: options.sandbox.jail, fresh: options.fresh)
            let protections = try await engine.protections()
            await engine.shutDown()
            return protections
        }
    }

    /// Blocks the thread, which must not belong to Swift's thread pool, until the work returns.
    static func wait<Value: Sendable>(for work: @escaping @Sendable () async -> Value) -> Value {
        let (isDone, result) = (DispatchSemaphore(value: 0), Result<Value>())
        Task.detached {
            let value = await work()
            result.value.withLock { $0 = value }
            isDone.signal()
        }
        isDone.wait()
        return result.value.withLock { $0! }
    }

    /// Carries the result to the thread that waits for it.
    private final class Result<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
    }
}
