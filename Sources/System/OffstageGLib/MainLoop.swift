import CGLib
import COffstageSystem
import Foundation

/// Makes GLib's main loop the main actor's loop: one loop on the main thread serves GTK, WebKit and Swift.
@MainActor
public enum MainLoop {
    private static var isAttached = false

    /// Makes GLib's default main context run the main actor's jobs and libdispatch's main queue, from now on.
    ///
    /// A GTK program calls this once, before its own `gtk_main`; further calls do nothing. `Task`, `Task.sleep`,
    /// `OperationQueue.main` and `DispatchQueue.main` then work. Foundation's `Timer` and `RunLoop` do not.
    public static func attach() {
        if isAttached { return }
        isAttached = true
        g_unix_fd_add(
            _dispatch_get_main_queue_handle_4CF(), G_IO_IN,
            { descriptor, _, _ in
                // The descriptor is an eventfd, which stays ready until its count is read.
                var count: UInt64 = 0
                read(descriptor, &count, MemoryLayout.size(ofValue: count))
                _dispatch_main_queue_callback_4CF(nil)
                return 1  // G_SOURCE_CONTINUE
            }, nil)
    }

    /// Returns after one turn of the loop, in which other work that is due runs, such as a window's frame.
    package static func turn() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let box = Unmanaged.passRetained(Box(continuation)).toOpaque()
            g_idle_add(
                { data in
                    Unmanaged<Box>.fromOpaque(data!).takeRetainedValue().continuation.resume()
                    return 0  // G_SOURCE_REMOVE
                }, box)
        }
    }

    private final class Box {
        let continuation: CheckedContinuation<Void, Never>
        init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = continuation }
    }

    /// Runs `body` and the loop until `body` returns: the `main` of a program without its own main loop.
    ///
    /// Call it from a synchronous `main`, on the main thread, and never from a job of the loop. On Linux 6.12 and later, the
    /// thread gets short time slices: it runs sooner, with the same share of the processor.
    public static func run<Value: Sendable>(_ body: @escaping @MainActor () async throws -> Value) throws -> Value {
        attach()
        // Everything else waits for this thread, so it must not wait until the web processes have used their time slices.
        offstage_take_short_slices(0)
        var outcome: Result<Value, any Error>?
        Task {
            do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
        }
        while outcome == nil { g_main_context_iteration(nil, 1) }
        return try outcome!.get()
    }
}
