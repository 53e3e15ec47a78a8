import CGTK
import Offstage
import OffstageLists

/// Paints rows in the theme's style. For a row with a picture, it allocates, decodes and scales nothing.
@MainActor
final class RowPainter {
    /// The appearance of a row that does not depend on its content.
    struct State {
        var isSelected: Bool
        var isHovered: Bool
    }

    private let canvas: Canvas
    private let source: any ListSource
    private lazy var style = RowStyle(of: canvas.inner)

    /// The background colours of the pictures so far.
    private var tones = RowTones()

    func note(_ picture: RenderedPicture) { tones.note(picture.pixmap) }

    init(_ canvas: Canvas, source: any ListSource) {
        self.canvas = canvas
        self.source = source
    }

    /// Reads the theme again.
    func updateStyle() { style = RowStyle(of: canvas.inner) }

    func paintBackground(_ context: OpaquePointer) {
        style.paintList(context, width: canvas.width, height: canvas.height)
    }

    /// - Parameters:
    ///   - y: the top of the row on the screen.
    ///   - box, pictureBox: the row's boxes in the layout.
    func paint(
        _ slot: Slot, _ context: OpaquePointer, y: Double, box: ItemBox, pictureBox: ItemBox, state: State,
        sizing: PictureSizing
    ) {
        if state.isSelected || state.isHovered {
            let flags = gtk_widget_get_state_flags(canvas.inner).rawValue
            style.paintRow(
                context, y: y, width: box.width, height: box.height, isSelected: state.isSelected,
                isHovered: state.isHovered,
                isFocused: state.isSelected && gtk_widget_has_visible_focus(canvas.inner) != 0,
                isBackdrop: flags & GTK_STATE_FLAG_BACKDROP.rawValue != 0)
        }
        let (left, top) = (Double(pictureBox.x), y + Double(pictureBox.y - box.y))
        let (width, room) = (Double(pictureBox.width), Double(pictureBox.height))
        // Check again: a slot shows a picture only for the item that it was made for.
        if let picture = slot.picture {
            return picture.paint(context, x: left, y: top, factor: sizing.factor(of: picture), room: room)
        }
        style.paintPlaceholder(context, x: left, y: top, width: width, height: room, tones.usual)
        guard let text = plainText(of: slot, width: pictureBox.width - 24, height: pictureBox.height - 16) else {
            return
        }
        style.setTextSource(context, on: tones.usual)
        text.paint(context, x: left + 12, y: top + 8)
    }

    private func plainText(of slot: Slot, width: Int, height: Int) -> RowText? {
        guard width > 0, height > 0 else { return nil }
        if let text = slot.plainText, text.fits(width: width) { return text }
        guard let text = source.plainText(at: slot.item) else { return nil }
        slot.plainText = RowText(text, on: canvas.inner, width: width, height: height)
        return slot.plainText
    }
}
