import CWebKitGTK
import Offstage
import OffstageGLib
import OffstageWebKit

/// Paints a frame. For a row with a picture, it allocates, decodes and scales nothing.
extension PictureList: CanvasOwner {
    func update() {
        if isLookDue { isDirty = true }
        isLookDue = false
        updateSlots()
        canvas.queueDraw()
    }

    func draw(_ context: OpaquePointer) {
        // GTK may have moved the value after the update for this frame.
        updateSlots()
        style.paintList(context, width: canvas.width, height: canvas.height)
        for row in window.visible {
            guard let slot = slot(of: row), slot.row == row, row < heights.count else { continue }
            paint(slot, context)
        }
    }

    /// GTK px from the list's left edge to the left edge of the pictures.
    var pictureLeft: Int { (canvas.width - pictureWidth) / 2 }

    private func paint(_ slot: Slot, _ context: OpaquePointer) {
        let row = slot.row
        let (y, height) = (screenTop(of: row), heights[row])
        let (isSelected, isHovered) = (row == selectedRow, row == hoveredRow)
        if isSelected || isHovered {
            let state = gtk_widget_get_state_flags(canvas.inner).rawValue
            style.paintRow(
                context, y: y, width: canvas.width, height: height, isSelected: isSelected, isHovered: isHovered,
                isFocused: isSelected && gtk_widget_has_visible_focus(canvas.inner) != 0,
                isBackdrop: state & GTK_STATE_FLAG_BACKDROP.rawValue != 0)
        }
        let (left, top) = (Double(pictureLeft), y + Double(options.verticalPadding))
        let (width, room) = (Double(pictureWidth), Double(height - 2 * options.verticalPadding))
        // Check again: a slot shows a picture only for the row that it was made for.
        if let picture = slot.picture {
            return picture.paint(context, x: left, y: top, factor: factor(of: picture), room: room)
        }
        style.paintPlaceholder(context, x: left, y: top, width: width, height: room)
        guard let text = plainText(of: slot, width: pictureWidth - 24, height: Int(room) - 16) else { return }
        style.setSource(context, alpha: 0.55)
        text.paint(context, x: left + 12, y: top + 8)
    }

    private func plainText(of slot: Slot, width: Int, height: Int) -> RowText? {
        guard width > 0, height > 0 else { return nil }
        if let text = slot.plainText, text.fits(width: width) { return text }
        guard let text = source.plainText(at: slot.row) else { return nil }
        slot.plainText = RowText(text, on: canvas.inner, width: width, height: height)
        return slot.plainText
    }

    // MARK: Size and zoom

    func sizeChanged() {
        let room = canvas.width - 2 * options.horizontalPadding
        let width = max(1, min(room, options.maximumWidth ?? room))
        let isFirst = pictureWidth == 0
        if width != pictureWidth {
            pictureWidth = width
            pictureScale = Double(canvas.scale)
            if !isFirst { rescale() }
        }
        keepPlace()
        changed()
    }

    /// Shows the visible rows at another size for now, and requests them once the width has stopped changing.
    private func rescale() {
        for row in window.near {
            if let slot = slot(of: row), let picture = slot.picture { heights.set(rowHeight(of: picture), of: row) }
        }
        resizeTimer = LoopTimer(seconds: options.resizeDelay / .seconds(1)) { [weak self] in
            self?.resizeTimer = nil
            self?.askAgain()
        }
    }

    /// Visible rows keep their old size until the new pictures are ready.
    func zoomChanged() {
        closeLiveRows()
        askAgain()
    }

    func scaleChanged() {
        pictureScale = Double(canvas.scale)
        askAgain()
    }

    func styleChanged() {
        style = RowStyle(of: canvas.inner)
        for slot in slots { slot.plainText = nil }
        canvas.queueDraw()
    }

    func focusChanged() {
        canvas.queueDraw()
        updateParts()
    }

    func valueChanged() { valueMoved() }

    /// As in GTK's own lists, the new adjustment determines the position of the list.
    func adjustmentReplaced() {
        origin = 0
        anchor = nil
        changed()
    }

    func scrollingChanged(_ isScrolling: Bool) {
        if !isScrolling {
            settlePlace()
            changed()
        }
        onScrolling?(isScrolling)
    }

    func destroyed() { letGo() }
}
