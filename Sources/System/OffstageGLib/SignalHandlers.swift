import CGLib

/// Signal handlers that call one of our objects. They end with this object, which the receiver owns. The sender may be freed
/// first.
@MainActor
package final class SignalHandlers {
    private var handlers: [(sender: WeakObject, handler: gulong)] = []

    package init() {}

    isolated deinit { disconnect() }

    /// - Parameters:
    ///   - callback: gets the receiver from its data with `receiver(_:)`.
    ///   - flags: such as `G_CONNECT_AFTER`, to run after the class's own handler.
    package func connect(
        _ signal: String, of sender: gpointer, _ callback: @escaping GCallback,
        to receiver: AnyObject, flags: GConnectFlags = GConnectFlags(rawValue: 0)
    ) {
        let handler = g_signal_connect_data(
            sender, signal, callback, CallbackTarget.data(for: receiver), CallbackTarget.releaseClosure, flags)
        handlers.append((WeakObject(sender), handler))
    }

    package func disconnect() {
        let old = handlers
        handlers = []
        for (sender, handler) in old {
            sender.with { object in
                // A destroyed widget has lost its handlers, but may not be freed yet.
                if g_signal_handler_is_connected(object, handler) != 0 { g_signal_handler_disconnect(object, handler) }
            }
        }
    }
}
