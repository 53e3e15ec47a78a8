import CGLib
import Foundation

// The thread on which a C callback arrives, and the objects that may already be freed:
//
// - On the main thread, which runs the default main context (`MainLoop`): signals of GTK and WebKit objects; GSources
//   of the default context (timeouts, idles); GAsyncReadyCallbacks of calls made on the main thread. Use `onMainActor`
//   for these.
// - On the thread that drops the last reference or closes the object: GWeakNotify, GDestroyNotify, GClosureNotify, a
//   class's dispose, finalize and close, and GTask's thread functions. GIO drops references in its thread pool. Use
//   `fromAnyThread` for these.
//
// A callback's `user_data` is a `CallbackTarget`, so a call that arrives after its object is freed finds nil.

/// Runs a body on the main actor, from a C callback that GLib makes on the main thread (see above). If the callback arrives on
/// another thread, the program ends.
///
/// `nonisolated(unsafe)` passes on the callback's arguments, because pointers are not `Sendable`. The value never
/// leaves its thread.
package func onMainActor<Argument, Result: Sendable>(
    _ argument: Argument, _ body: @MainActor (Argument) -> Result
) -> Result {
    nonisolated(unsafe) let argument = argument
    return MainActor.assumeIsolated { body(argument) }
}

/// Runs a body on the main actor, from a C callback that may arrive on any thread: immediately on the main thread,
/// otherwise in a later turn of the loop. The callback's subject may already be freed.
package func fromAnyThread(_ body: @escaping @MainActor @Sendable () -> Void) {
    if Thread.isMainThread { MainActor.assumeIsolated(body) } else { Task { @MainActor in body() } }
}

/// Casts a GObject pointer to another class of its hierarchy, like `GTK_WIDGET()` in C.
package func cast<From, To>(_ pointer: UnsafeMutablePointer<From>, to type: To.Type = To.self) -> UnsafeMutablePointer<
    To
> {
    UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: type)
}

/// The message of a GError. Frees the error.
package func takeMessage(_ error: UnsafeMutablePointer<GError>?) -> String {
    guard let error else { return "unknown error" }
    defer { g_error_free(error) }
    return String(cString: error.pointee.message)
}
