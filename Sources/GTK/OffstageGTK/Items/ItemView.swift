import CGTK
import Offstage
import OffstageGLib
import OffstageLists

/// A scrollable view of pictures: the common parts of a list and a grid. A view adds its layout, its painting and its
/// input.
@MainActor
protocol ItemView<Layout>: CanvasOwner, SlotOwner, ItemFinder, AccessibleOwner {
    associatedtype Layout: ResizableLayout

    var parts: ItemParts { get }
    var layout: Layout { get set }
    /// Device px per CSS px at which the view needs thumbnails from the store.
    var thumbnailScales: [Double] { get }
    var onScrolling: ((Bool) -> Void)? { get }
    /// Called in each frame, after items have been assigned their slots.
    func slotsMoved()
    /// Called after the pictures' size has changed, while the old pictures are shown.
    func resized()
    func letGo()
}

/// A layout as wide as its view.
protocol ResizableLayout: ItemLayout {
    /// - Returns: true if the size of the pictures has changed.
    mutating func setWidth(_ width: Int) -> Bool
}

extension GridLayout: ResizableLayout {}

extension ItemView {
    var canvas: Canvas { parts.canvas }
    var updates: FrameUpdates { parts.updates }
    var viewport: Viewport { parts.viewport }
    var slots: PictureSlots { parts.slots }
    var pointer: ItemPointer { parts.pointer }
    var accessible: AccessibleRows { parts.accessible }
    var source: any ListSource { parts.source }

    var thumbnailScales: [Double] { [sizing.deviceScale] }
    func slotsMoved() {}
    func resized() {}

    // MARK: Frames

    func update() {
        updates.beginFrame()
        updateSlots()
        canvas.queueDraw()
    }

    /// Called once per frame, before painting.
    func updateSlots() { updates.run { updateOnce() } }

    /// Reassigns the slots of items that have left to items that have come near.
    private func updateOnce() {
        let isFlying = viewport.beginFrame()
        if viewport.forecast.isOngoing { parts.frames?.begin() }
        guard canvas.height > 0, sizing.width > 0 else { return }
        let wanted = parts.options.lookAhead
        let screens = wanted.isNaN ? 0 : min(wanted, 1_000)
        let window = ListWindow(
            layout, top: Int(viewport.top.rounded(.down)), height: canvas.height, travel: viewport.travel,
            screens: screens)
        slots.move(to: window)
        slots.showThumbnails()
        if isFlying {
            updates.postponeLook()
        } else {
            let plan = SightPlan(
                layout, viewport.forecast, top: viewport.top, height: canvas.height, travel: viewport.travel,
                screens: screens)
            parts.lookAhead?.request(slots.requestMissing(plan))
        }
        pointer.update()
        slotsMoved()
        accessible.update(visible: window.visible)
    }

    /// Updates slots, and what depends on them, before the next frame.
    func changed() {
        updates.request()
        viewport.updateAdjustment(for: layout)
    }

    // MARK: Size

    func sizeChanged() { takeSize() }

    /// Gives the layout the canvas's width.
    func takeSize() {
        let isFirst = sizing.width == 0
        if layout.setWidth(canvas.width) || isFirst {
            parts.scale = Double(canvas.scale)
            if isFirst { loadThumbnails() } else { rescale() }
        }
        viewport.keepPlace(in: layout)
        changed()
    }

    /// Shows the visible items at another size for now, and requests them once the size has stopped changing.
    func rescale() {
        resized()
        parts.resizeTimer = LoopTimer(seconds: parts.options.resizeDelay / .seconds(1)) { [weak self] in
            self?.parts.resizeTimer = nil
            self?.requestAgain()
        }
    }

    func scaleChanged() {
        parts.scale = Double(canvas.scale)
        requestAgain()
    }

    /// Loads thumbnails from the store, so that items drawn earlier show at least these in the first frame.
    private func loadThumbnails() {
        guard let box = parts.options.thumbnail else { return }
        for scale in thumbnailScales where parts.loadedScales.insert(scale).inserted {
            parts.renderer.loadThumbnails(fittingInto: box, scale: scale)
        }
    }

    /// Requests all visible items again, at another size.
    func requestAgain() {
        loadThumbnails()
        parts.lookAhead?.cancel()
        slots.expire()
        changed()
    }

    // MARK: Position

    /// Called when the user, or the program that owns the adjustment, has scrolled.
    func valueChanged() {
        if viewport.noteMovement(in: layout) { updates.request() }
    }

    func adjustmentReplaced() {
        viewport.adjustmentReplaced()
        changed()
    }

    func scrollingChanged(_ isScrolling: Bool) {
        if !isScrolling {
            viewport.settle(in: layout)
            changed()
        }
        onScrolling?(isScrolling)
    }

    func focusChanged() {
        canvas.queueDraw()
        accessible.focusChanged()
    }

    func destroyed() { letGo() }

    // MARK: Items

    /// A request for a picture of the view's size.
    func request(at item: Int) -> (any DrawingRequest)? { sizing.request(at: item, of: source) }

    /// GTK px from the top of the screen to the top of an item, including the space above that belongs to the item.
    func screenTop(of item: Int) -> Double { viewport.screen(layout.top(of: item)) }

    func item(atScreen x: Double, _ y: Double) -> Int? {
        viewport.position(atScreen: y).flatMap { layout.item(atX: Int(x.rounded(.down)), y: $0) }
    }

    func pointerMoved(x: Double, y: Double) { pointer.move(to: x, y) }

    func pointerLeft() { pointer.leave() }

    /// Scrolls an item to a position on the screen, where it stays until the user scrolls.
    func scrollItem(_ item: Int, to place: RowPlace) {
        guard item >= 0, item < layout.count else { return }
        let before = viewport.value
        guard viewport.scroll(to: item, place, in: layout) else { return }
        changed()
        if viewport.value != before { viewport.suspender.noteMovement() }
    }

    func scrollBy(_ distance: Double) {
        gtk_adjustment_set_value(canvas.adjustment, gtk_adjustment_get_value(canvas.adjustment) + distance)
    }

    /// Gives the parts of the view the new numbers of items that were inserted or removed.
    func renumber(_ shifted: (Int) -> Int) {
        pointer.forgetItem()
        viewport.renumber(shifted, in: layout)
        viewport.keepPlace(in: layout)
        changed()
    }
}
