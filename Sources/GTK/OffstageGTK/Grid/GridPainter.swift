import CGTK
import Offstage
import OffstageLists

/// Paints cells in the theme's style. For a cell with a picture, it allocates, decodes and scales nothing.
@MainActor
final class GridPainter {
    /// The appearance of a cell that does not depend on its content.
    struct State {
        var isSelected: Bool
        var isHovered: Bool
        /// True for the cell that has the keyboard's focus.
        var isFocused: Bool
    }

    private let canvas: Canvas
    private let source: any GridSource
    private let options: GridOptions
    private lazy var style = RowStyle(of: canvas.inner)
    private var tones = RowTones()
    /// The headings by section index.
    private var headings: [Int: RowText] = [:]

    init(_ canvas: Canvas, source: any GridSource, options: GridOptions) {
        (self.canvas, self.source, self.options) = (canvas, source, options)
    }

    func note(_ picture: RenderedPicture) { tones.note(picture.pixmap) }

    /// Reads the theme again.
    func updateStyle() {
        style = RowStyle(of: canvas.inner)
        headings = [:]
    }

    func forgetHeadings() { headings = [:] }

    private var isBackdrop: Bool {
        gtk_widget_get_state_flags(canvas.inner).rawValue & GTK_STATE_FLAG_BACKDROP.rawValue != 0
    }

    func paintBackground(_ context: OpaquePointer) {
        style.paintList(context, width: canvas.width, height: canvas.height)
    }

    /// - Parameters:
    ///   - shift: GTK px from the layout's top to the top of the screen, negative below it.
    ///   - box, pictureBox: the cell's boxes in the layout.
    func paint(
        _ slot: Slot, _ context: OpaquePointer, shift: Double, box: ItemBox, pictureBox: ItemBox, state: State
    ) {
        let y = Double(box.y) + shift
        if state.isSelected || state.isHovered || state.isFocused {
            style.paintRow(
                context, x: Double(box.x), y: y, width: box.width, height: box.height, isSelected: state.isSelected,
                isHovered: state.isHovered, isFocused: state.isFocused, isBackdrop: isBackdrop)
        }
        paintPicture(of: slot, context, in: pictureBox, y: Double(pictureBox.y) + shift)
        guard options.showsLabels, let label = label(of: slot, width: pictureBox.width) else { return }
        style.setLabelSource(context, isSelected: state.isSelected, isBackdrop: isBackdrop)
        label.paint(context, x: Double(pictureBox.x), y: Double(pictureBox.bottom) + shift + 4)
    }

    private func paintPicture(of slot: Slot, _ context: OpaquePointer, in box: ItemBox, y: Double) {
        // Check again: a slot shows a picture only for the item that it was made for.
        guard let picture = slot.picture else {
            return style.paintPlaceholder(
                context, x: Double(box.x), y: y, width: Double(box.width), height: Double(box.height), tones.usual)
        }
        let size = PictureFit.size(of: picture, in: box, thumbnail: options.thumbnail)
        let scale = Double(canvas.scale)
        // On whole device px, an unscaled picture stays sharp.
        func whole(_ value: Double) -> Double { (value * scale).rounded() / scale }
        picture.paint(
            context, x: whole(Double(box.x) + (Double(box.width) - size.width) / 2),
            y: whole(y + (Double(box.height) - size.height) / 2), width: size.width, height: size.height)
    }

    private func label(of slot: Slot, width: Int) -> RowText? {
        if let text = slot.plainText, text.fits(width: width) { return text }
        guard let text = source.label(at: slot.item), !text.isEmpty else { return nil }
        slot.plainText = RowText(label: text, on: canvas.inner, width: width)
        return slot.plainText
    }

    func paintHeading(
        _ title: String, of section: Int, _ context: OpaquePointer, y: Double, metrics: GridLayout.Metrics
    ) {
        let width = max(1, canvas.width - 2 * (metrics.spacing + metrics.padding))
        var text = headings[section]
        if text?.fits(width: width) != true {
            // Only headings on the screen are needed.
            if headings.count > 100 { headings = [:] }
            text = RowText(heading: title, on: canvas.inner, width: width)
            headings[section] = text
        }
        style.setLabelSource(context, isSelected: false, isBackdrop: isBackdrop)
        // The lower half of the heading's height is its line.
        text?.paint(
            context, x: Double(metrics.spacing + metrics.padding), y: y + Double(metrics.headingHeight) / 2 - 2)
    }

    func paintRubberBand(_ context: OpaquePointer, _ box: ItemBox, shift: Double) {
        style.paintRubberBand(
            context, x: Double(box.x), y: Double(box.y) + shift, width: Double(box.width), height: Double(box.height))
    }
}
