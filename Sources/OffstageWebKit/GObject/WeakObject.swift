import CWebKitGTK

/// A GObject that is not kept, and may go on any thread.
package final class WeakObject {
    private let reference = UnsafeMutablePointer<GWeakRef>.allocate(capacity: 1)

    package init(_ object: gpointer) { g_weak_ref_init(reference, object) }

    deinit {
        g_weak_ref_clear(reference)
        reference.deallocate()
    }

    package var exists: Bool { with { _ in true } ?? false }

    /// - Returns: nil where the object is gone.
    package func with<Value>(_ body: (gpointer) -> Value) -> Value? {
        guard let object = g_weak_ref_get(reference) else { return nil }
        defer { g_object_unref(object) }
        return body(object)
    }
}
