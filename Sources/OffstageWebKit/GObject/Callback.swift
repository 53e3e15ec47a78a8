import CWebKitGTK
import Foundation

// On which thread a C callback comes, and what may be gone by then:
//
// - Signals of GTK, WebKit and libsoup objects, GSources of the default context (timeouts, idles, watches of descriptors),
//   GAsyncReadyCallbacks of calls made on the main thread, and a pollable stream's reads: the thread that runs the default main
//   context, which is the main thread (`MainLoop`). `onMainActor` is for these.
// - GWeakNotify, GDestroyNotify, GClosureNotify, a class's dispose, finalize and close, and GTask's thread functions: the thread that
//   drops the last reference or closes. GIO drops references and closes streams in its thread pool; a TLS handshake is
//   one of the cases. `fromAnyThread` and `hopToMainActor` are for these.
//
// A callback's `user_data` is either retained until its destroy notify (`Unmanaged.passRetained`), or `unretained` and the object that
// it points to ends the C side in its own `isolated deinit`, before it goes.

/// Runs a body that needs the main actor from a C callback that GLib promises to make on the main thread; see above. It is
/// checked: the program ends where that is wrong.
///
/// The value, a callback's arguments, is handed over with `nonisolated(unsafe)` because pointers are not
/// `Sendable`: it never leaves the thread it is on.
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

/// The same for a callback whose data is an object of ours, which is retained until then.
///
/// - Parameter data: made of an object that lives for as long as the callback runs.
package func hopToMainActor<Object: AnyObject & Sendable>(
    _ data: gpointer, _ body: @escaping @MainActor @Sendable (Object) -> Void
) {
    let object: Object = object(data)
    fromAnyThread { body(object) }
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
