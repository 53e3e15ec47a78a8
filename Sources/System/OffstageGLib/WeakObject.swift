import CGLib

/// A weak reference to a GObject, which any thread may free.
package final class WeakObject {
    private let reference = UnsafeMutablePointer<GWeakRef>.allocate(capacity: 1)

    package init(_ object: gpointer) { g_weak_ref_init(reference, object) }

    deinit {
        g_weak_ref_clear(reference)
        reference.deallocate()
    }

    package var exists: Bool { with { _ in true } ?? false }

    /// - Returns: nil if the object is freed.
    package func with<Value>(_ body: (gpointer) -> Value) -> Value? {
        guard let object = g_weak_ref_get(reference) else { return nil }
        defer { g_object_unref(object) }
        return body(object)
    }
}
