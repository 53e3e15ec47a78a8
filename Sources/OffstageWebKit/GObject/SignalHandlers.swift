import CWebKitGTK

/// Signal handlers that call an object of ours. They end with this value, which the object owns; a sender may go before.
@MainActor
package final class SignalHandlers {
    private var handlers: [(sender: WeakObject, handler: gulong)] = []

    package init() {}

    isolated deinit { disconnect() }

    /// - Parameters:
    ///   - callback: finds the receiver with `receiver`.
    ///   - flags: such as `G_CONNECT_AFTER`, after the class's own handler.
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
                // A widget that was destroyed has lost its handlers, and may be there still.
                if g_signal_handler_is_connected(object, handler) != 0 { g_signal_handler_disconnect(object, handler) }
            }
        }
    }
}
