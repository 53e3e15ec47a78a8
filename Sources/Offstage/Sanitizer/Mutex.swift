#if OFFSTAGE_THREAD_SANITIZER
    import Foundation

    typealias Mutex<Value> = WatchedMutex<Value>

    /// Stands in for Synchronization's `Mutex` in `make test-threads`, and there only.
    ///
    /// The thread sanitizer does not see that one lock, as it is a futex inside a library that is not instrumented, and
    /// would call every access that it guards a race. It knows pthread's mutex, which `NSLock` is.
    ///
    /// Each target that runs under the sanitizer has an alias of its own, which comes before an import's name.
    ///
    /// `@unchecked Sendable` because the value is touched under the lock alone.
    package final class WatchedMutex<Value>: @unchecked Sendable {
        private let lock = NSLock()
        private var value: Value

        package init(_ value: sending Value) { self.value = value }

        package func withLock<Result, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            lock.lock()
            defer { lock.unlock() }
            return try body(&value)
        }
    }
#endif
