import CGTK
import Foundation
import Offstage
import OffstageGLib
import OffstageInk

/// A widget to draw on a page of ink with a pen, a mouse or a finger.
///
/// The newest point appears at once; every motion of the device counts. Changes are appended to the file's journal as soon as the pen
/// is lifted. The host decides the tool (`mode`, `brush`) and shows its own buttons.
///
/// Keys: Ctrl Z undoes, Ctrl Shift Z and Ctrl Y redo, Ctrl S saves, Escape drops the stroke under the pen, Page Up and Page Down
/// turn pages, Ctrl plus, minus and 0 zoom, the arrows scroll.
@MainActor
public final class InkCanvas {
    /// The effect of a pressed pointer.
    public enum Mode: Sendable, Hashable {
        case draw
        /// The radius is in points.
        case erase(InkEraser, radius: Float)
        /// Selects strokes. Dragging the selection moves it.
        case lasso
        /// Scrolls.
        case move
    }

    /// The effect of the pen. Default `.draw`.
    public var mode = Mode.draw { didSet { if mode != oldValue { cancelStrokes() } } }
    /// The settings of the tool. Default a pen.
    public var brush = InkBrush.pen
    /// The effect of a pen's eraser end and of its barrel buttons. Default: cut parts out of strokes, with a radius of 6 points.
    public var eraser = Mode.erase(.part, radius: 6)
    /// True: a finger draws. False, the default: it scrolls, and two fingers zoom.
    public var drawsWithTouch = false
    /// Draws the pen's predicted position one frame ahead. The prediction is never stored. Default true.
    public var predicts = true
    /// Called after each change, with the page from 0.
    public var onChange: ((Int) -> Void)?
    /// Called when another page is shown, from 0.
    public var onPage: ((Int) -> Void)?

    /// Called when the first pen goes down, and when the last one is lifted, before the change is reported. A host can
    /// suspend its drawings in between.
    public var onPen: ((_ isDown: Bool) -> Void)?

    /// The document.
    public internal(set) var editor: InkEditor
    /// The file to which changes are appended; nil for none.
    public private(set) var file: InkFile?
    /// True from the first `show` of a file's slice until `open`. Users cannot draw meanwhile.
    public private(set) var isOpening = false
    /// The page that is shown, from 0; over another widget, the one on which the pen was last.
    public internal(set) var page: Int {
        get { leaf.page }
        set { leaf.page = newValue }
    }
    /// True, the default, to draw with the pointer. False, for a canvas above another widget, to show the ink and pass
    /// the pointer to that widget.
    public var isActive = true { didSet { activityChanged() } }
    /// Over another widget: false to show no ink. Default true.
    public var isVisible = true { didSet { gtk_widget_queue_draw(area) } }
    /// Over another widget: true if the content below is dark; a highlighter then lightens. Default false.
    public var isOverDark = false { didSet { gtk_widget_queue_draw(area) } }
    /// The selected items.
    public internal(set) var selection: [InkPlace] = []

    let area: UnsafeMutablePointer<GtkWidget>
    let handlers = SignalHandlers()
    /// True: the canvas is over the widget of a host.
    let isOverlay: Bool
    /// The visible pages.
    var leaves: [InkLeaf]
    /// The page on which the pen is, or was last.
    var leaf: InkLeaf
    /// GTK px per CSS px of the page: 1 is its natural size.
    var magnification = 1.0
    var backdrops: [Int: Offstage.Pixmap] = [:]
    var pointers: [Int: InkPointer] = [:] {
        didSet { if pointers.isEmpty != oldValue.isEmpty { onPen?(!pointers.isEmpty) } }
    }
    /// Over another widget: false if the host itself handles undo.
    var takesKeys = true
    var lassoOutline: [InkPoint] = []
    /// The time at which a pen was last near, microseconds; a touch soon after it counts as the palm.
    var penTime: gint64 = .min
    var isPenNear = false
    var isTicking = false
    var isThere = true

    /// Makes a canvas.
    ///
    /// - Parameters:
    ///   - editor: the document.
    ///   - file: the file to which changes are appended. Default none.
    public convenience init(_ editor: InkEditor, file: InkFile? = nil) {
        let area = g_object_ref_sink(gtk_drawing_area_new()).assumingMemoryBound(to: GtkWidget.self)
        gtk_widget_set_can_focus(area, 1)
        self.init(area, editor, file, isOverlay: false)
        connect()
        describe()
    }

    /// - Parameter area: this object takes over the reference.
    init(_ area: UnsafeMutablePointer<GtkWidget>, _ editor: InkEditor, _ file: InkFile?, isOverlay: Bool) {
        (self.area, self.editor, self.file, self.isOverlay) = (area, editor, file, isOverlay)
        if self.editor.ink.pages.isEmpty { self.editor = InkEditor(Ink()) }
        _ = self.editor.takeDirty()
        leaf = InkLeaf(page: 0, content: InkSheetContent(&self.editor, page: 0, backdrop: nil))
        leaves = isOverlay ? [] : [leaf]
    }

    isolated deinit {
        handlers.disconnect()
        if isThere, !isOverlay { gtk_widget_destroy(area) }
        g_object_unref(area)
    }

    /// Shows the part of a file that has been read so far; see `InkFile.open`.
    public func show(_ slice: InkSlice) {
        isOpening = true
        for part in slice.pages where part.number == page {
            if slice.isFirst || content.items.isEmpty {
                editor = InkEditor(Ink(pages: [part.page]))
                reload()
                center()
            }
            let first = content.items.count
            content.items += part.items
            content.boxes += part.boxes
            for sheet in leaf.sheets { sheet.extend(from: first, at: place) }
            work()
        }
    }

    /// Takes a file that has been opened, instead of the document so far.
    public func open(_ opened: InkFile.Opened) {
        cancelStrokes()
        let isShown = isOpening && !opened.isRecovered
        (file, isOpening, selection) = (opened.file, false, [])
        editor = opened.editor
        if editor.ink.pages.isEmpty { editor = InkEditor(Ink()) }
        _ = editor.takeDirty()
        let shown = content.items.count
        page = min(page, editor.ink.pages.count - 1)
        leaf.content = InkSheetContent(&editor, page: page, backdrop: backdrops[page])
        // The pixels of the slices are still valid.
        if isShown, shown == content.items.count { return describe() }
        reload()
        center()
    }

    /// The widget. The host puts it into a container; over another widget, it is that widget.
    public var widget: UnsafeMutablePointer<GtkWidget> { area }

    /// The magnification, from 0.1 to 16. 1 is the page's natural size, 96 px per inch.
    public var zoom: Double {
        get { magnification }
        set { setZoom(newValue, aroundX: Double(width) / 2, y: Double(height) / 2) }
    }

    /// Shows another page. Has no effect if the page does not exist.
    ///
    /// - Parameter number: from 0.
    public func show(page number: Int) {
        guard !isOverlay, editor.ink.pages.indices.contains(number), number != page else { return }
        cancelStrokes()
        page = number
        selection = []
        reload()
        center()
        onPage?(page)
    }

    /// Puts a picture under the ink of a page, such as a page of a PDF document that a `Renderer` has drawn; nil for the paper.
    ///
    /// - Parameters:
    ///   - backdrop: stretched to the page.
    ///   - number: from 0.
    public func setBackdrop(_ backdrop: Offstage.Pixmap?, page number: Int) {
        backdrops[number] = backdrop
        for leaf in leaves where leaf.page == number { reload(leaf) }
    }

    /// Undoes the last change.
    public func undo() { change { _ = $0.undo() } }
    /// Redoes the last change that was undone.
    public func redo() { change { _ = $0.redo() } }

    /// Changes the document. The canvas draws the parts that differ.
    ///
    /// - Parameter body: changes the editor.
    public func change(_ body: (inout InkEditor) -> Void) {
        cancelStrokes()
        body(&editor)
        noteChange()
    }

    /// Removes the selected strokes.
    public func deleteSelection() {
        let places = selection
        selection = []
        change { $0.remove(places) }
    }

    /// Copies of the selected strokes, from bottom to top.
    public func copySelection() -> [Stroke] {
        selection.filter { editor.ink.has($0) }.compactMap { editor.ink[$0].stroke }
    }

    /// Adds strokes, and selects them.
    public func paste(_ strokes: [Stroke], x: Float = 12, y: Float = 12) {
        var places: [InkPlace] = []
        change { editor in
            editor.beginGesture()
            for stroke in strokes {
                if let place = editor.add(stroke.moved(x: x, y: y), page: page) { places.append(place) }
            }
            editor.endGesture()
        }
        selection = places
    }

    /// Moves, turns or scales the selected strokes.
    public func transformSelection(by transform: InkTransform) {
        let places = selection
        change { $0.transform(places, by: transform) }
    }

    /// Rewrites the file in the background.
    public func save() {
        file?.save(&editor)
        noteMerged()
    }

    /// Merges what another program has added to the file; see `InkFile.Event.changedElsewhere`.
    ///
    /// - Returns: the number of items that were added; 0 if the file has other changes, too.
    @discardableResult
    public func merge() -> Int {
        defer { noteMerged() }
        return file?.merge(into: &editor) ?? 0
    }

    /// Writes the document into a second file; see `InkFile.saveSecond`.
    public func saveSecond() { file?.saveSecond(&editor) }

    /// The number of items on the page. While a file is being read, those read so far.
    public var itemCount: Int { content.items.count }

    /// True if everything has been drawn and is on the screen.
    public var isComplete: Bool { !leaves.isEmpty && leaves.allSatisfy { !$0.sheets.isEmpty && $0.isComplete } }

    var sheet: InkSheet? { leaf.sheets.first }
    var liveSheet: InkSheet? { leaf.live?.sheet }
    var place: InkSheet.Place {
        get { leaf.place }
        set { leaf.place = newValue }
    }
    var content: InkSheetContent {
        get { leaf.content }
        _modify { yield &leaf.content }
    }

    var pageCount: Int { editor.ink.pages.count }

    var width: Int { Int(gtk_widget_get_allocated_width(area)) }
    var height: Int { Int(gtk_widget_get_allocated_height(area)) }
    var deviceScale: Int { Int(gtk_widget_get_scale_factor(area)) }

    /// The name for assistive technology.
    func describe() {
        guard isThere, !isOverlay, let accessible = gtk_widget_get_accessible(area) else { return }
        let count = content.items.count
        atk_object_set_name(
            accessible,
            "Ink, page \(page + 1) of \(editor.ink.pages.count), \(count) item\(count == 1 ? "" : "s")")
        atk_object_set_role(accessible, ATK_ROLE_CANVAS)
    }
}
