import CGLib

/// Passes one of our objects to C as a callback's `user_data`. All callbacks use it.
///
/// C owns this box, which refers to the object weakly. A call that arrives after the object is freed finds nil, even if
/// the C side was never told to stop. `release` may run on any thread: it only frees the box.
package final class CallbackTarget: Sendable {
    /// Unsafe only for the compiler: any thread may read a weak reference, and the object is used only on its own thread.
    private nonisolated(unsafe) weak let object: AnyObject?

    private init(_ object: AnyObject) { self.object = object }

    /// For a function that takes a `GDestroyNotify`, which must be `release`, or one that calls back once (`take`).
    package static func data(for object: AnyObject) -> gpointer {
        Unmanaged.passRetained(CallbackTarget(object)).toOpaque()
    }

    /// The object behind a callback's data; nil if it is freed.
    package static func object<Object>(_ data: gpointer, as type: Object.Type = Object.self) -> Object? {
        Unmanaged<CallbackTarget>.fromOpaque(data).takeUnretainedValue().object as? Object
    }

    /// Returns the object and frees the data: for a callback that arrives once and has no destroy notify.
    package static func take<Object>(_ data: gpointer, as type: Object.Type = Object.self) -> Object? {
        Unmanaged<CallbackTarget>.fromOpaque(data).takeRetainedValue().object as? Object
    }

    package static let release: GDestroyNotify = { Unmanaged<CallbackTarget>.fromOpaque($0!).release() }
    package static let releaseClosure: GClosureNotify = { data, _ in
        Unmanaged<CallbackTarget>.fromOpaque(data!).release()
    }
}

/// The object behind a callback's `user_data`, which `CallbackTarget` made; nil if it is freed.
package func receiver<Object>(_ data: gpointer, as type: Object.Type = Object.self) -> Object? {
    CallbackTarget.object(data, as: type)
}
