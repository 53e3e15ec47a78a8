import CWebKitGTK

/// Tells the end of a GObject that is not kept: once, unless this watch ends before.
@MainActor
package final class ObjectWatch {
    private let object: WeakObject
    private let gone: () -> Void
    /// The object's, until the notice has come or this has ended.
    private var data: gpointer?

    /// - Parameter gone: called when the object is disposed of: at once on the main thread, else soon after.
    package init(_ object: gpointer, gone: @escaping @MainActor () -> Void) {
        self.object = WeakObject(object)
        self.gone = gone
        let data = CallbackTarget.data(for: self)
        self.data = data
        g_object_weak_ref(object.assumingMemoryBound(to: GObject.self), Self.notice, data)
    }

    isolated deinit {
        guard let data else { return }
        // One that is going on another thread cannot be had any more, and gives the data back itself.
        object.with { object in
            g_object_weak_unref(object.assumingMemoryBound(to: GObject.self), Self.notice, data)
            CallbackTarget.release(data)
        }
    }

    /// Comes on the thread that has let go of the object last.
    private static let notice: GWeakNotify = { data, _ in
        let watch = CallbackTarget.take(data!, as: ObjectWatch.self)
        fromAnyThread {
            watch?.data = nil
            watch?.gone()
        }
    }
}
