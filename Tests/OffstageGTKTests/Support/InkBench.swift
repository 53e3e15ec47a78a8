import CGTK
import CTestEvents
import Foundation
import OffstageInk

@testable import OffstageGTK

/// A canvas in a window of 400 × 300 px, and a pen over it. Positions are px of the canvas.
@MainActor
final class InkBench {
    let canvas: InkCanvas
    let window: UnsafeMutablePointer<GtkWidget>
    var time: guint32 = 1000

    init(_ editor: InkEditor = InkEditor(Ink(pages: [InkPage(width: 300, height: 225)])), file: InkFile? = nil) {
        HostDisplay.start()
        canvas = InkCanvas(editor, file: file)
        window = gtk_window_new(GTK_WINDOW_POPUP)
        gtk_window_set_default_size(cast(window), 400, 300)
        gtk_container_add(cast(window), canvas.widget)
        gtk_widget_show_all(window)
        pump { self.canvas.isComplete && self.canvas.width == 400 }
    }

    func close() { gtk_widget_destroy(window) }

    func sample(
        _ x: Double, _ y: Double, pressure: Double = 0.5, tilt: Double = 0, _ source: GdkInputSource = GDK_SOURCE_PEN
    ) -> test_ink_sample {
        time += 4
        return test_ink_sample(x: x, y: y, pressure: pressure, tilt: tilt, time: time, source: source)
    }

    func down(_ sample: test_ink_sample, button: Int32 = 1) { test_ink_button(canvas.widget, 1, button, sample) }
    func move(_ sample: test_ink_sample) { test_ink_motion(canvas.widget, sample) }
    func up(_ sample: test_ink_sample, button: Int32 = 1) { test_ink_button(canvas.widget, 0, button, sample) }

    /// Draws a line in several motions.
    func line(
        from: (Double, Double), to: (Double, Double), count: Int = 20, button: Int32 = 1,
        _ source: GdkInputSource = GDK_SOURCE_PEN
    ) {
        down(sample(from.0, from.1, source), button: button)
        for index in 1...count {
            let share = Double(index) / Double(count)
            move(sample(from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share, source))
        }
        up(sample(to.0, to.1, source), button: button)
    }

    func sample(_ x: Double, _ y: Double, _ source: GdkInputSource) -> test_ink_sample {
        sample(x, y, pressure: 0.5, tilt: 0, source)
    }

    /// All pixels of the visible sheet.
    func pixels() -> [UInt8] { Self.bytes(canvas.liveSheet ?? canvas.sheet!) }

    static func bytes(_ sheet: InkSheet) -> [UInt8] {
        cairo_surface_flush(sheet.surface)
        let count = 4 * sheet.size.width * sheet.size.height
        return Array(UnsafeBufferPointer(start: cairo_image_surface_get_data(sheet.surface), count: count))
    }

    /// The same page, drawn in one step on another sheet.
    func fresh() -> [UInt8] {
        let sheet = InkSheet(size: canvas.sheet!.size)
        sheet.usesBands = false
        sheet.invalidateAll(at: canvas.place)
        // The positions of all items are computed again.
        var editor = InkEditor(canvas.editor.ink)
        let content = InkSheetContent(&editor, page: canvas.page, backdrop: nil)
        _ = sheet.work(content, at: canvas.place, until: .max)
        return Self.bytes(sheet)
    }
}
