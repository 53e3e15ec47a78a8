import CGLib

/// Calls back while a descriptor is ready. The watch ends with this object, or with `stop`; the descriptor stays its owner's.
@MainActor
package final class DescriptorWatch {
    private var source: guint = 0
    private let body: () -> Void

    /// - Parameters:
    ///   - condition: such as `G_IO_IN`. poll(2) gets it as it is.
    ///   - body: called on the main thread in each turn of the loop in which the descriptor is ready. It must not retain the
    ///     watch's owner, which retains the watch.
    package init(
        _ descriptor: Int32, _ condition: GIOCondition = G_IO_IN, _ body: @escaping @MainActor () -> Void
    ) {
        self.body = body
        source = g_unix_fd_add_full(
            G_PRIORITY_DEFAULT, descriptor, condition,
            { _, _, data in onMainActor(data!) { receiver($0, as: DescriptorWatch.self)?.call() ?? false ? 1 : 0 } },
            CallbackTarget.data(for: self), CallbackTarget.release)
    }

    isolated deinit { stop() }

    package func stop() {
        if source != 0 { g_source_remove(source) }
        source = 0
    }

    /// - Returns: whether the watch continues.
    private func call() -> Bool {
        body()
        return source != 0
    }
}
