import CGLib

/// Reports the end of a GObject that we do not retain: once, unless this watch ends first.
@MainActor
package final class ObjectWatch {
    private let object: WeakObject
    private let gone: () -> Void
    /// The notice's `user_data`, until the notice arrives or this watch ends.
    private var data: gpointer?

    /// - Parameter gone: called when the object is disposed: immediately on the main thread, otherwise in a later turn of the
    ///   loop.
    package init(_ object: gpointer, gone: @escaping @MainActor () -> Void) {
        self.object = WeakObject(object)
        self.gone = gone
        let data = CallbackTarget.data(for: self)
        self.data = data
        g_object_weak_ref(object.assumingMemoryBound(to: GObject.self), Self.notice, data)
    }

    isolated deinit {
        guard let data else { return }
        // If another thread is disposing of the object, `with` finds nil, and the notice frees the data.
        object.with { object in
            g_object_weak_unref(object.assumingMemoryBound(to: GObject.self), Self.notice, data)
            CallbackTarget.release(data)
        }
    }

    /// Arrives on the thread that drops the last reference.
    private static let notice: GWeakNotify = { data, _ in
        let watch = CallbackTarget.take(data!, as: ObjectWatch.self)
        fromAnyThread {
            watch?.data = nil
            watch?.gone()
        }
    }
}
