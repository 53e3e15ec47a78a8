import CWebKitGTK

/// The requests of a page's scripts to the user or the desktop. Views reject all of them.
@MainActor
enum ScriptRequests {
    /// Opens no dialog, and lets no script wait for an answer. The handlers do not refer to Offstage's objects, and
    /// exist as long as the view.
    static func refuse(of view: UnsafeMutablePointer<WebKitWebView>) {
        func connect(_ signal: String, _ callback: @escaping GCallback) {
            g_signal_connect_data(view, signal, callback, nil, nil, GConnectFlags(rawValue: 0))
        }
        let handled: @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, gpointer) -> gboolean = {
            _, _, _ in 1
        }
        // Accepts an alert and declines a question. GTK's default would be a dialog, a chooser or a window.
        let dialog: @convention(c) (UnsafeMutableRawPointer, OpaquePointer, gpointer) -> gboolean = { _, dialog, _ in
            // A page that asks for confirmation before the user leaves it must not keep its view from loading the next
            // page.
            if webkit_script_dialog_get_dialog_type(dialog) == WEBKIT_SCRIPT_DIALOG_BEFORE_UNLOAD_CONFIRM {
                webkit_script_dialog_confirm_set_confirmed(dialog, 1)
            }
            return 1
        }
        connect("script-dialog", unsafeBitCast(dialog, to: GCallback.self))
        for signal in ["print", "run-color-chooser", "show-notification"] {
            connect(signal, unsafeBitCast(handled, to: GCallback.self))
        }
        let fullscreen: @convention(c) (UnsafeMutableRawPointer, gpointer) -> gboolean = { _, _ in 1 }
        connect("enter-fullscreen", unsafeBitCast(fullscreen, to: GCallback.self))
        let files:
            @convention(c) (
                UnsafeMutableRawPointer, UnsafeMutablePointer<WebKitFileChooserRequest>, gpointer
            ) -> gboolean = { _, request, _ in
                webkit_file_chooser_request_cancel(request)
                return 1
            }
        connect("run-file-chooser", unsafeBitCast(files, to: GCallback.self))
    }
}
