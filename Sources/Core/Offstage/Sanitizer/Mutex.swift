#if OFFSTAGE_THREAD_SANITIZER
    import Foundation

    typealias Mutex<Value> = WatchedMutex<Value>

    /// Replaces Synchronization's `Mutex`, only in `make test-threads`.
    ///
    /// The thread sanitizer cannot see its lock, because it is a futex inside a library that is not instrumented. It
    /// would report every guarded access as a race. It does know pthread's mutex, which `NSLock` uses.
    ///
    /// Each target that runs under the sanitizer has its own alias, which takes precedence over an imported name.
    ///
    /// `@unchecked Sendable` because the value is accessed only under the lock.
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
