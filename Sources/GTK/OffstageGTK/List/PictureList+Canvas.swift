import CGTK
import Offstage
import OffstageGLib

/// Frames, and changes of the size and style.
extension PictureList: ItemView {
    var sizing: PictureSizing { PictureSizing(width: layout.pictureWidth, scale: parts.scale, zoom: zoom) }

    func slotsMoved() {
        live.place()
        showMissingLive()
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

    func resized() {
        for row in slots.window.near {
            if let picture = slots[row]?.picture { layout.setPictureHeight(sizing.height(of: picture), of: row) }
        }
    }

    /// Visible rows keep their old size until the new pictures are ready.
    func zoomChanged() {
        live.closeAll()
        requestAgain()
    }

    func styleChanged() {
        painter.updateStyle()
        for slot in slots.all { slot.plainText = nil }
        canvas.queueDraw()
    }
}
