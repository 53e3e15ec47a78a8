import COffstageSystem
import COffstageWebKit
import CWebKitGTK
import Foundation
import Offstage
import OffstageGLib

/// Prints one document to a PDF file with WebKit's print operation, without a dialog or a printer.
///
/// The file is in memory, so it is not left behind, however the program ends. GIO opens the file through its entry in
/// `/proc`. Because that entry is a symbolic link, GIO writes into its target instead of creating another file.
@MainActor
final class PrintJob {
    private let operation: UnsafeMutablePointer<WebKitPrintOperation>
    private let reply: Reply<Void>
    private let file: Int32
    private let handlers = SignalHandlers()

    /// - Parameters:
    ///   - width, height: Size of a page in points.
    ///   - reply: Receives the outcome once the file is written.
    init(
        of view: UnsafeMutablePointer<WebKitWebView>, width: Double, height: Double, _ reply: Reply<Void>
    ) throws(DrawingError) {
        file = offstage_memory_file("offstage-print")
        guard file >= 0 else {
            throw .engineFailed("cannot create a memory file for printing: \(String(cString: strerror(errno)))")
        }
        self.reply = reply
        operation = webkit_print_operation_new(view)
        let settings = Self.settings(for: "/proc/self/fd/\(file)")
        webkit_print_operation_set_print_settings(operation, settings)
        g_object_unref(gpointer(settings))
        let setup = Self.pageSetup(width: width, height: height)
        webkit_print_operation_set_page_setup(operation, setup)
        g_object_unref(gpointer(setup))
    }

    isolated deinit {
        handlers.disconnect()
        g_object_unref(gpointer(operation))
        close(file)
    }

    /// Starts to print. The caller must keep the job alive until the reply arrives or its caller has stopped waiting.
    func start() {
        let failed: @convention(c) (gpointer, UnsafeMutablePointer<GError>, gpointer) -> Void = { _, error, job in
            onMainActor((error, job)) { error, job in
                let text = String(cString: error.pointee.message)
                receiver(job, as: PrintJob.self)?.reply.give(.failure(.failed(text)))
            }
        }
        // Also emitted after a failure.
        let finished: @convention(c) (gpointer, gpointer) -> Void = { _, job in
            onMainActor(job) { receiver($0, as: PrintJob.self)?.reply.give(.success(())) }
        }
        for (signal, callback) in [
            ("failed", unsafeBitCast(failed, to: GCallback.self)),
            ("finished", unsafeBitCast(finished, to: GCallback.self)),
        ] { handlers.connect(signal, of: operation, callback, to: self) }
        webkit_print_operation_print(operation)
    }

    /// The file's contents.
    func document() throws(DrawingError) -> Data {
        var info = stat()
        guard fstat(file, &info) == 0, info.st_size > 0 else {
            throw .engineFailed("printing produced no document")
        }
        var data = Data(count: Int(info.st_size))
        let count = data.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
        guard count == data.count else { throw .engineFailed("the printed document cannot be read") }
        return data
    }

    private static func settings(for path: String) -> OpaquePointer? {
        let settings = gtk_print_settings_new()
        // GTK looks for its file printer by its name in the user's language.
        gtk_print_settings_set_printer(settings, g_dgettext("gtk30", "Print to File"))
        let uri = g_filename_to_uri(path, nil, nil)
        gtk_print_settings_set(settings, GTK_PRINT_SETTINGS_OUTPUT_URI, uri)
        g_free(uri)
        gtk_print_settings_set(settings, GTK_PRINT_SETTINGS_OUTPUT_FILE_FORMAT, "pdf")
        return settings
    }

    /// On the right and at the bottom, the paper is slightly larger than the used area: GTK rounds its size to whole
    /// points, which must not cut anything off.
    private static func pageSetup(width: Double, height: Double) -> OpaquePointer? {
        let rest = 2.0
        let size = gtk_paper_size_new_custom("offstage", "Offstage", width + rest, height + rest, GTK_UNIT_POINTS)
        let setup = gtk_page_setup_new()
        gtk_page_setup_set_paper_size(setup, size)
        gtk_paper_size_free(size)
        gtk_page_setup_set_top_margin(setup, 0, GTK_UNIT_POINTS)
        gtk_page_setup_set_left_margin(setup, 0, GTK_UNIT_POINTS)
        gtk_page_setup_set_right_margin(setup, rest, GTK_UNIT_POINTS)
        gtk_page_setup_set_bottom_margin(setup, rest, GTK_UNIT_POINTS)
        return setup
    }
}
