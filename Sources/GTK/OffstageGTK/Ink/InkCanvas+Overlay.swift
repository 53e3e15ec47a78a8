import CGTK
import Foundation
import Offstage
import OffstageGLib
import OffstageInk

/// A page of ink over a widget.
public struct InkPlacement: Sendable, Hashable {
    /// A rectangle, GTK px of the widget.
    public struct Box: Sendable, Hashable {
        public var x, y, width, height: Double

        /// Makes a rectangle.
        public init(x: Double, y: Double, width: Double, height: Double) {
            (self.x, self.y, self.width, self.height) = (x, y, width, height)
        }
    }

    /// From 0.
    public var page: Int
    /// The box of the whole page, with the page's proportions; it may be larger than the widget.
    public var box: Box
    /// The visible part.
    public var clip: Box

    /// Places a page.
    ///
    /// - Parameters:
    ///   - page: from 0.
    ///   - box: the whole page.
    ///   - clip: the visible part. Default all of it.
    public init(page: Int, box: Box, clip: Box? = nil) { (self.page, self.box, self.clip) = (page, box, clip ?? box) }
}

/// Ink over the widget of a host: a page view, a picture, a live row.
extension InkCanvas {
    /// Lays a canvas over a widget, which does not change. The canvas paints above it, and receives pen events first.
    ///
    /// Set the positions of the ink's pages with `place`, and set them again when they move. The widget receives the
    /// wheel, most keys, and, without `drawsWithTouch`, fingers. If `isActive` is false, it receives all events.
    ///
    /// - Parameters:
    ///   - widget: a widget with its own window, such as an event box, to receive events.
    ///   - editor: the document.
    ///   - file: the file to append changes to. Default none.
    public convenience init(
        over widget: UnsafeMutablePointer<GtkWidget>, _ editor: InkEditor, file: InkFile? = nil
    ) {
        g_object_ref(widget)
        self.init(widget, editor, file, isOverlay: true)
        connectOverlay()
    }

    /// Removes the ink from the widget. After that, the canvas makes no callbacks.
    public func detach() {
        guard isOverlay, isThere else { return }
        cancelStrokes()
        leaves = []
        gtk_widget_queue_draw(area)
        handlers.disconnect()
    }

    /// Clears a page without recording the change, because the host has taken over the strokes.
    func forget(page number: Int) {
        var ink = editor.ink
        for layer in ink.pages[number].layers.indices { ink.pages[number].layers[layer].items = [] }
        editor = InkEditor(ink)
        for leaf in leaves where leaf.page == number {
            leaf.content = InkSheetContent(&editor, page: number, backdrop: nil)
            for sheet in leaf.sheets { sheet.clear() }
        }
        gtk_widget_queue_draw(area)
    }

    /// Sets which pages are visible, and where.
    ///
    /// - Parameter placements: pages of the document; others are left out.
    public func place(_ placements: [InkPlacement]) {
        guard isOverlay, isThere else { return }
        let old = leaves
        leaves = placements.compactMap { placement in
            guard editor.ink.pages.indices.contains(placement.page), placement.box.width > 0 else { return nil }
            let known = old.first { $0.page == placement.page }
            let leaf =
                known
                ?? InkLeaf(
                    page: placement.page, content: InkSheetContent(&editor, page: placement.page, backdrop: nil))
            return place(leaf, placement) ? leaf : nil
        }
        if !leaves.contains(where: { $0 === leaf }) {
            cancelStrokes()
            selection = []
            if let first = leaves.first { leaf = first }
        }
        gtk_widget_queue_draw(area)
        work()
    }

    /// - Returns: false if nothing of the page is visible.
    private func place(_ leaf: InkLeaf, _ placement: InkPlacement) -> Bool {
        let scale = Double(deviceScale)
        func pixels(_ value: Double) -> Int { Int(min(max((value * scale).rounded(), -1e7), 1e7)) }
        let (clip, box) = (placement.clip, placement.box)
        let (left, top) = (pixels(clip.x), pixels(clip.y))
        let size = PixelSize(
            width: min(pixels(clip.x + clip.width) - left, 16_384),
            height: min(pixels(clip.y + clip.height) - top, 16_384))
        guard size.width > 0, size.height > 0 else { return false }
        leaf.origin = (left, top)
        let old = leaf.place
        leaf.place = InkSheet.Place(
            x: left - pixels(box.x), y: top - pixels(box.y),
            scale: box.width * scale / Double(editor.ink.pages[leaf.page].width))
        if leaf.sheets.first?.size != size {
            leaf.resize(size, isTransparent: true)
            leaf.redrawAll()
        } else if leaf.place != old {
            for sheet in leaf.sheets { sheet.move(from: old, to: leaf.place) }
            if leaf === self.leaf, let sheet { refreshLive(sheet.whole(at: leaf.place)) }
        }
        return true
    }

    /// Selects the page under a pointer as the one to draw on.
    ///
    /// - Parameter x: GTK px of the widget.
    /// - Returns: false if no page is there, or if another pen is drawing on a different page.
    func chooseLeaf(x: Double, y: Double) -> Bool {
        if !isOverlay { return true }
        let (x, y) = (x * Double(deviceScale), y * Double(deviceScale))
        let found = leaves.first { leaf in
            guard let size = leaf.sheets.first?.size else { return false }
            let (left, top) = (Double(leaf.origin.x), Double(leaf.origin.y))
            return x >= left && x < left + Double(size.width) && y >= top && y < top + Double(size.height)
        }
        guard let found else { return false }
        if found !== leaf {
            // A second pen draws on the page of the first one.
            if !pointers.isEmpty { return false }
            leaf = found
            selection = []
        }
        return true
    }

    func activityChanged() {
        if !isActive { cancelStrokes() }
        if isActive { takeAllMotions() }
    }

    private func connectOverlay() {
        gtk_widget_add_events(area, Self.events.reduce(0) { $0 | Int32(bitPattern: $1.rawValue) })
        let draw: @convention(c) (UnsafeMutableRawPointer, OpaquePointer, gpointer) -> gboolean = { _, context, data in
            onMainActor((context, data)) { receiver($1, as: InkCanvas.self)?.draw($0) }
            return 0
        }
        handlers.connect("draw", of: area, unsafeBitCast(draw, to: GCallback.self), to: self, flags: G_CONNECT_AFTER)
        let changed: @convention(c) (UnsafeMutableRawPointer, gpointer) -> Void = { _, data in
            onMainActor(data) { receiver($0, as: InkCanvas.self)?.takeAllMotions() }
        }
        handlers.connect(
            "realize", of: area, unsafeBitCast(changed, to: GCallback.self), to: self, flags: G_CONNECT_AFTER)
        let destroyed: @convention(c) (UnsafeMutableRawPointer, gpointer) -> Void = { _, data in
            onMainActor(data) { receiver($0, as: InkCanvas.self)?.noteDestroyed() }
        }
        handlers.connect("destroy", of: area, unsafeBitCast(destroyed, to: GCallback.self), to: self)
        // GTK emits `event` before the more specific signals, so the widget's own handlers do not see a pen's events.
        typealias Handler =
            @convention(c) (UnsafeMutableRawPointer, UnsafeMutablePointer<GdkEvent>, gpointer) -> gboolean
        let handler: Handler = {
            onMainActor(($1, $2)) { event, data in
                receiver(data, as: InkCanvas.self)?.handleOverlaid(event) == true ? 1 : 0
            }
        }
        handlers.connect("event", of: area, unsafeBitCast(handler, to: GCallback.self), to: self)
        takeAllMotions()
    }

    private func handleOverlaid(_ event: UnsafeMutablePointer<GdkEvent>) -> Bool {
        guard isActive, isVisible else { return false }
        switch event.pointee.type {
        case GDK_SCROLL: return false
        // The second and third of several quick presses: each has already been reported as a single press.
        case GDK_2BUTTON_PRESS, GDK_3BUTTON_PRESS: return !pointers.isEmpty
        case GDK_KEY_PRESS where !takesKeys: return false
        case GDK_KEY_PRESS:
            let (key, state) = (event.pointee.key.keyval, event.pointee.key.state)
            let isControl = state & GDK_CONTROL_MASK.rawValue != 0
            let isOurs =
                isControl
                ? [GDK_KEY_z, GDK_KEY_Z, GDK_KEY_y].contains(Int32(key))
                : Int32(key) == GDK_KEY_Escape && !pointers.isEmpty
                    || Int32(key) == GDK_KEY_Delete && !selection.isEmpty
            return isOurs && keyPressed(key, state)
        default: return handle(event)
        }
    }
}
