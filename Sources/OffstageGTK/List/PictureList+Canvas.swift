import CWebKitGTK
import Offstage
import OffstageGLib
import OffstageWebKit

/// Frames, and changes of the widget's size and style.
extension PictureList: CanvasOwner {
    func update() {
        updates.beginFrame()
        updateSlots()
        canvas.queueDraw()
    }

    /// Called once per frame, before painting.
    func updateSlots() { updates.run { updateOnce() } }

    /// Gives slots of rows that have left to rows that have come near.
    private func updateOnce() {
        let isFlying = viewport.beginFrame()
        guard canvas.height > 0, sizing.width > 0 else { return }
        let window = ListWindow(
            layout, top: Int(viewport.top.rounded(.down)), height: canvas.height, travel: viewport.travel,
            screens: options.lookAhead)
        slots.move(to: window)
        slots.showThumbnails()
        if isFlying {
            updates.postponeLook()
        } else {
            let plan = SightPlan(
                layout, viewport.forecast, top: viewport.top, height: canvas.height, travel: viewport.travel,
                screens: options.lookAhead)
            lookAhead?.request(slots.requestMissing(plan))
        }
        pointer.update()
        live.place()
        showMissingLive()
        accessible.update(visible: window.visible)
    }

    /// Updates slots, and what depends on them, before the next frame.
    func changed() {
        updates.request()
        viewport.updateAdjustment(for: layout)
    }

    func draw(_ context: OpaquePointer) {
        // GTK may have moved the value after the update for this frame.
        updateSlots()
        painter.paintBackground(context)
        for row in slots.window.visible {
            guard let slot = slots[row], slot.item == row, row < layout.count else { continue }
            painter.paint(
                slot, context, y: screenTop(of: row), box: layout.box(of: row), pictureBox: layout.pictureBox(of: row),
                state: RowPainter.State(isSelected: row == selectedRow, isHovered: row == pointer.hoveredItem),
                sizing: sizing)
        }
    }

    // MARK: Size and zoom

    func sizeChanged() {
        let isFirst = sizing.width == 0
        if layout.setWidth(canvas.width) {
            pictureScale = Double(canvas.scale)
            if isFirst { loadThumbnails() } else { rescale() }
        }
        viewport.keepPlace(in: layout)
        changed()
    }

    /// Shows the visible rows at another size for now, and requests them once the width has stopped changing.
    private func rescale() {
        for row in slots.window.near {
            if let picture = slots[row]?.picture { layout.setPictureHeight(sizing.height(of: picture), of: row) }
        }
        resizeTimer = LoopTimer(seconds: options.resizeDelay / .seconds(1)) { [weak self] in
            self?.resizeTimer = nil
            self?.requestAgain()
        }
    }

    /// Visible rows keep their old size until the new pictures are ready.
    func zoomChanged() {
        live.closeAll()
        requestAgain()
    }

    func scaleChanged() {
        pictureScale = Double(canvas.scale)
        requestAgain()
    }

    /// Lets rows that were ever drawn show at least their thumbnails in the first frame.
    private func loadThumbnails() {
        guard let box = options.thumbnail, loadedScale != sizing.deviceScale else { return }
        loadedScale = sizing.deviceScale
        renderer.loadThumbnails(fittingInto: box, scale: sizing.deviceScale)
    }

    /// Requests all visible rows again, at another width or scale.
    private func requestAgain() {
        loadThumbnails()
        lookAhead?.cancel()
        slots.expire()
        changed()
    }

    func styleChanged() {
        painter.updateStyle()
        for slot in slots.all { slot.plainText = nil }
        canvas.queueDraw()
    }

    func focusChanged() {
        canvas.queueDraw()
        accessible.focusChanged()
    }

    // MARK: Position

    /// The user has scrolled, or the program that owns the adjustment.
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

    func destroyed() { letGo() }
}
