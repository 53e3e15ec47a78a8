import COffstageSystem
import CWebKitGTK
import Foundation

/// GLib's main loop as the main actor's: one loop on the main thread serves GTK, WebKit and Swift.
@MainActor
public enum MainLoop {
    private static var isAttached = false

    /// Lets GLib's default main context run the main actor's jobs and libdispatch's main queue, from now on.
    ///
    /// A GTK program calls it once before its own `gtk_main`; more calls do nothing. Where it is attached, `Task`,
    /// `Task.sleep`, `OperationQueue.main` and `DispatchQueue.main` work; Foundation's `Timer` and `RunLoop` do not.
    public static func attach() {
        if isAttached { return }
        isAttached = true
        g_unix_fd_add(
            _dispatch_get_main_queue_handle_4CF(), G_IO_IN,
            { descriptor, _, _ in
                // The descriptor is an eventfd: unless its count is read, GLib finds it ready for ever.
                var count: UInt64 = 0
                read(descriptor, &count, MemoryLayout.size(ofValue: count))
                _dispatch_main_queue_callback_4CF(nil)
                return 1  // G_SOURCE_CONTINUE
            }, nil)
    }

    /// Lets the loop do what else is due, a frame of a window among it.
    static func turn() async {
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

    /// Runs `body` and the loop until it is done: the `main` of a program that has no loop of its own.
    ///
    /// Call it from a synchronous `main`, on the main thread, not from a job that the loop runs. The thread gets short time slices,
    /// where Linux has them (6.12 and later): it is on a processor sooner, with the same share.
    public static func run<Value: Sendable>(_ body: @escaping @MainActor () async throws -> Value) throws -> Value {
        attach()
        // All else waits for this thread, which would wait for the web processes' turns to be over.
        offstage_take_short_slices(0)
        var outcome: Result<Value, any Error>?
        Task {
            do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
        }
        while outcome == nil { g_main_context_iteration(nil, 1) }
        return try outcome!.get()
    }
}
