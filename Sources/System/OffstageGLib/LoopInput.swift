import CGLib

/// Calls a body on the main thread while a descriptor can be read. It ends with this object, or with `stop`.
@MainActor
package final class LoopInput {
    private var source: guint = 0
    private let body: () -> Void

    /// - Parameters:
    ///   - descriptor: stays open as long as this object.
    ///   - body: reads what there is without waiting. It must not retain this object's owner, which retains this object.
    package init(_ descriptor: Int32, _ body: @escaping @MainActor () -> Void) {
        self.body = body
        let conditions = G_IO_IN.rawValue | G_IO_HUP.rawValue | G_IO_ERR.rawValue
        source = g_unix_fd_add_full(
            G_PRIORITY_DEFAULT, descriptor, GIOCondition(conditions),
            { _, _, data in
                onMainActor(data!) { data in
                    guard let input = receiver(data, as: LoopInput.self) else { return 0 }
                    input.body()
                    return input.source != 0 ? 1 : 0
                }
            }, CallbackTarget.data(for: self), CallbackTarget.release)
    }

    isolated deinit { stop() }

    package func stop() {
        if source != 0 { g_source_remove(source) }
        source = 0
    }
}
