import CGTK
import Offstage
import OffstageGLib
import OffstageLists

/// Frames, sizes and pictures.
extension PictureGrid: ItemView {
    var sizing: PictureSizing { sizing(of: layout, zoom: zoom) }

    private func sizing(of layout: GridLayout, zoom: Double) -> PictureSizing {
        if layout.width == 0 { return PictureSizing(width: 0, scale: parts.scale, zoom: zoom) }
        return PictureSizing(
            width: layout.pictureWidth, height: layout.pictureHeight, scale: parts.scale, zoom: zoom)
    }

    /// Thumbnails of cells at their usual size may be shown at any zoom.
    var thumbnailScales: [Double] {
        [sizing.deviceScale, PictureSizing(width: 1, scale: parts.scale, zoom: 1).deviceScale]
    }

    func slotsMoved() { extendBand() }

    func draw(_ context: OpaquePointer) {
        // GTK may have moved the value after the update for this frame.
        updateSlots()
        painter.paintBackground(context)
        let (shift, top) = (viewport.screen(0), Int(viewport.top.rounded(.down)))
        for (section, y) in layout.headings(from: top, to: top + canvas.height + 1) {
            guard section < sections.count, let title = sections[section].title else { continue }
            painter.paintHeading(title, of: section, context, y: Double(y) + shift, metrics: layout.metrics)
        }
        let hasFocus = gtk_widget_has_visible_focus(canvas.inner) != 0
        for cell in slots.window.visible {
            guard let slot = slots[cell], slot.item == cell, cell < layout.count else { continue }
            painter.paint(
                slot, context, shift: shift, box: layout.box(of: cell), pictureBox: layout.pictureBox(of: cell),
                state: GridPainter.State(
                    isSelected: cells.items.contains(cell), isHovered: cell == pointer.hoveredItem,
                    isFocused: hasFocus && cell == cells.cursor))
        }
        if case .band(let band) = gesture { painter.paintRubberBand(context, band.box, shift: shift) }
    }

    // MARK: Sizes

    func sizeChanged() {
        // If the number of columns changes, cells change their positions.
        viewport.holdPlace(in: layout)
        let old = sizing
        takeSize()
        noteSizing(old)
    }

    func zoomChanged() {
        setMetrics(holding: pointer.hoveredItem ?? visibleCursor)
        onZoom?(zoom)
    }

    private var visibleCursor: Int? { cells.cursor.flatMap { slots.window.visible.contains($0) ? $0 : nil } }

    /// Takes the cells' sizes from the options, the zoom and the theme's font.
    ///
    /// - Parameter item: the item that keeps its position; nil for the first one on the screen.
    private func setMetrics(holding item: Int?) {
        if let item { viewport.hold(item, in: layout) } else { viewport.holdPlace(in: layout) }
        let old = sizing
        let isOther = layout.setMetrics(options.metrics(zoom: zoom, lineHeight: lineHeight))
        noteSizing(old)
        if isOther || old.zoom != zoom { rescale() }
        viewport.keepPlace(in: layout)
        changed()
        canvas.queueDraw()
    }

    /// Remembers the size at which pictures were requested: the memory cache may have their thumbnails.
    private func noteSizing(_ old: PictureSizing) {
        guard old.width > 0, old != sizing else { return }
        var usual = GridLayout(count: 0, sections: [], metrics: options.metrics(zoom: 1, lineHeight: lineHeight))
        _ = usual.setWidth(layout.width)
        otherSizings = [old, sizing(of: usual, zoom: 1)]
    }

    func styleChanged() {
        painter.updateStyle()
        for slot in slots.all { slot.plainText = nil }
        let height = RowText.lineHeight(on: canvas.inner)
        if height != lineHeight {
            lineHeight = height
            setMetrics(holding: nil)
        }
        canvas.queueDraw()
    }

    // MARK: Pictures

    func pictureArrived(_ picture: RowPicture, in slot: Slot) {
        if picture.quality == .full { painter.note(picture.image) }
        canvas.queueDraw()
    }

    func pictureFailed(_ error: RenderError, in slot: Slot) {
        canvas.queueDraw()
        onFailure?(slot.item, error)
    }

    /// Pictures of cells are too small to click on parts of them.
    func link(atScreen x: Double, _ y: Double) -> ItemLink? { nil }

    func tooltip(x: Double, y: Double) -> String? { nil }
}
