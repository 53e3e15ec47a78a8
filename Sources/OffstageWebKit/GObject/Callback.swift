import CWebKitGTK
import Foundation

/// Runs a body that needs the main actor from a C callback that GLib makes on the main thread; it is checked.
///
/// That is: a source of the default main context, which the main thread iterates (`MainLoop`); the answer to a call that was made
/// there; a signal of a widget, a web view or an adjustment. Not: a `GWeakNotify`, `GDestroyNotify` or `GClosureNotify`, which
/// come on the thread that has let go last, and what GIO or libsoup does in a thread of its own: `fromAnyThread`.
///
/// The value, a callback's arguments, is handed over with `nonisolated(unsafe)` because pointers are not `Sendable`: it never
/// leaves the thread it is on.
package func onMainActor<Argument, Result: Sendable>(
    _ argument: Argument, _ body: @MainActor (Argument) -> Result
) -> Result {
    nonisolated(unsafe) let argument = argument
    return MainActor.assumeIsolated { body(argument) }
}

/// Runs a body on the main actor from a C callback that may come on any thread: at once on the main thread, else soon. By then
/// whatever the callback was about may be gone.
package func fromAnyThread(_ body: @escaping @MainActor @Sendable () -> Void) {
    if Thread.isMainThread { MainActor.assumeIsolated(body) } else { Task { @MainActor in body() } }
}

/// A Swift object as a C callback's `user_data`, kept alive by whoever passes it.
package func unretained<Object: AnyObject>(_ object: Object) -> gpointer {
    Unmanaged.passUnretained(object).toOpaque()
}

/// The object behind a `user_data` made with `unretained`.
package func object<Object: AnyObject>(_ data: gpointer, as type: Object.Type = Object.self) -> Object {
    Unmanaged<Object>.fromOpaque(data).takeUnretainedValue()
}

/// A GObject pointer as another class of its hierarchy: what `GTK_WIDGET()` and its like do in C.
package func cast<From, To>(_ pointer: UnsafeMutablePointer<From>, to type: To.Type = To.self) -> UnsafeMutablePointer<
    To
> {
    UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: type)
}

/// The message of a GError, which is freed.
package func takeMessage(_ error: UnsafeMutablePointer<GError>?) -> String {
    guard let error else { return "unknown error" }
    defer { g_error_free(error) }
    return String(cString: error.pointee.message)
}
