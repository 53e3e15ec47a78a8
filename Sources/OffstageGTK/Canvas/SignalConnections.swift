import CWebKitGTK
import OffstageWebKit

/// Signal handlers that know a Swift object without keeping it: it has to disconnect them before it goes.
@MainActor
final class SignalConnections {
    private var handlers: [(object: gpointer, handler: gulong)] = []

    /// - Parameter after: after the class's own handler.
    func connect<Object>(
        _ signal: String, of sender: UnsafeMutablePointer<Object>, _ callback: @escaping GCallback,
        _ receiver: AnyObject,
        after: Bool = false
    ) {
        let flags = after ? G_CONNECT_AFTER : GConnectFlags(rawValue: 0)
        handlers.append(
            (gpointer(sender), g_signal_connect_data(sender, signal, callback, unretained(receiver), nil, flags)))
    }

    /// The senders have to be there still.
    func disconnect() {
        for (object, handler) in handlers where g_signal_handler_is_connected(object, handler) != 0 {
            g_signal_handler_disconnect(object, handler)
        }
        handlers = []
    }
}
