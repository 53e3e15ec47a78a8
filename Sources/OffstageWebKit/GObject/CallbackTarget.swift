import CWebKitGTK

/// An object of ours as a C callback's `user_data`: the only way to hand one to C.
///
/// C owns this box, and the box refers to the object weakly. A call that comes once the object is gone finds nil, whoever forgot
/// to end the C side. `release` may run on any thread, as GLib promises none for it: it frees the box alone.
package final class CallbackTarget: Sendable {
    /// Unsafe for the compiler alone: a weak reference may be read on any thread, and it is used on the object's own.
    private nonisolated(unsafe) weak let object: AnyObject?

    private init(_ object: AnyObject) { self.object = object }

    /// For a function that takes a `GDestroyNotify`, which has to be `release`, or one that is called once (`take`).
    package static func data(for object: AnyObject) -> gpointer {
        Unmanaged.passRetained(CallbackTarget(object)).toOpaque()
    }

    /// The object behind a callback's data; nil once it is gone.
    package static func object<Object>(_ data: gpointer, as type: Object.Type = Object.self) -> Object? {
        Unmanaged<CallbackTarget>.fromOpaque(data).takeUnretainedValue().object as? Object
    }

    /// The same, and gives the data back: for a callback that comes once and has no destroy notify.
    package static func take<Object>(_ data: gpointer, as type: Object.Type = Object.self) -> Object? {
        Unmanaged<CallbackTarget>.fromOpaque(data).takeRetainedValue().object as? Object
    }

    package static let release: GDestroyNotify = { Unmanaged<CallbackTarget>.fromOpaque($0!).release() }
    package static let releaseClosure: GClosureNotify = { data, _ in
        Unmanaged<CallbackTarget>.fromOpaque(data!).release()
    }
}

/// Calls an object before each frame that a widget paints, until the callback returns 0 or the widget goes.
@MainActor
package func addTick(
    to widget: UnsafeMutablePointer<GtkWidget>, for object: AnyObject,
    _ callback: @escaping GtkTickCallback
) {
    gtk_widget_add_tick_callback(widget, callback, CallbackTarget.data(for: object), CallbackTarget.release)
}

/// The object behind a callback's `user_data`, made by `CallbackTarget`; nil once it is gone.
package func receiver<Object>(_ data: gpointer, as type: Object.Type = Object.self) -> Object? {
    CallbackTarget.object(data, as: type)
}
