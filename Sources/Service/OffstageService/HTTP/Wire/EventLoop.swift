import CEvent
import COffstageSystem
import Foundation
import Offstage
import Synchronization

/// A thread that runs libevent's loop, and the executor of the actors that live on it. The HTTP service has its own loops, so that
/// neither a slow request nor a flood of connections delays the main loop.
///
/// `@unchecked Sendable` because only the loop's thread uses `base` after `init`, and the jobs have a lock.
final class EventLoop: SerialExecutor, @unchecked Sendable {
    /// Owned; freed when the last user of the loop has released it. Use it only on the loop's thread.
    let base: OpaquePointer
    /// Readable while there are jobs.
    private let waking: Int32
    private let jobs = Mutex<[UnownedJob]>([])
    private let isEnding = Atomic(false)
    private let thread = Mutex<pthread_t?>(nil)

    /// - Throws: if the program may not open any more files.
    init() throws(EngineUnavailable) {
        let config = event_config_new()
        // Changes of the epoll set are made once per turn. This is safe because no descriptor is registered twice.
        event_config_set_flag(config, Int32(EVENT_BASE_FLAG_EPOLL_USE_CHANGELIST.rawValue))
        // Only the loop's own thread uses it.
        event_config_set_flag(config, Int32(EVENT_BASE_FLAG_NOLOCK.rawValue))
        let base = event_base_new_with_config(config)
        event_config_free(config)
        waking = offstage_wake_new()
        guard let base, waking >= 0 else {
            if let base { event_base_free(base) }
            if waking >= 0 { close(waking) }
            throw EngineUnavailable(
                problem: "cannot create an event loop: \(String(cString: strerror(errno)))",
                remedy: "raise the limit of open files (ulimit -n)")
        }
        self.base = base
    }

    deinit {
        event_base_free(base)
        close(waking)
    }

    /// Starts the thread, which keeps the loop alive until `end`.
    func start(name: String) {
        let thread = Thread { [self] in run() }
        thread.name = name
        thread.start()
    }

    /// Lets the thread end after the current turn. Call this once everything on the loop is closed.
    func end() {
        isEnding.store(true, ordering: .releasing)
        wake()
    }

    private func run() {
        thread.withLock { $0 = pthread_self() }
        let waker = LoopEvent(base, descriptor: waking) { [unowned self] in runJobs() }
        event_base_loop(base, 0)
        waker.cancel()
        thread.withLock { $0 = nil }
    }

    private func runJobs() {
        var count: UInt64 = 0
        read(waking, &count, 8)
        let due = jobs.withLock { jobs in
            defer { jobs = [] }
            return jobs
        }
        for job in due { job.runSynchronously(on: asUnownedSerialExecutor()) }
        if isEnding.load(ordering: .acquiring) { event_base_loopbreak(base) }
    }

    private func wake() {
        var one: UInt64 = 1
        write(waking, &one, 8)
    }

    // MARK: SerialExecutor

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isFirst = jobs.withLock { jobs in
            jobs.append(job)
            return jobs.count == 1
        }
        if isFirst { wake() }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    func checkIsolated() { precondition(isOnThread, "not on the thread of the event loop") }

    func isIsolatingCurrentContext() -> Bool? { isOnThread }

    private var isOnThread: Bool { thread.withLock { $0.map { pthread_equal($0, pthread_self()) != 0 } ?? false } }
}

/// An event of a loop: a readable descriptor, or a timer. It repeats until `cancel`, or the end of this object. Use it
/// only on the loop's thread.
final class LoopEvent {
    private var event: OpaquePointer?
    private let action: () -> Void

    /// - Parameters:
    ///   - descriptor: nil for a timer.
    ///   - milliseconds: the interval of a timer; nil for a descriptor.
    ///   - action: called on the loop's thread, and never after `cancel`.
    init(_ base: OpaquePointer, descriptor: Int32? = nil, milliseconds: Int? = nil, _ action: @escaping () -> Void) {
        self.action = action
        let flags = Int16(EV_PERSIST) | (descriptor == nil ? 0 : Int16(EV_READ))
        let pointer = Unmanaged.passUnretained(self).toOpaque()
        // The callback arrives on the loop's thread, and never after `event_free`.
        event = event_new(
            base, descriptor ?? -1, flags,
            { _, _, data in Unmanaged<LoopEvent>.fromOpaque(data!).takeUnretainedValue().action() }, pointer)
        if let milliseconds {
            var time = timeval(tv_sec: milliseconds / 1000, tv_usec: milliseconds % 1000 * 1000)
            event_add(event, &time)
        } else {
            event_add(event, nil)
        }
    }

    deinit { cancel() }

    func cancel() {
        if let event { event_free(event) }
        event = nil
    }
}
