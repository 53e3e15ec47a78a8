import CGTK
import Foundation
import Offstage
import OffstageGLib
import OffstageLists

/// The action of the pointer while its button is down.
enum GridGesture {
    /// A rectangle that selects the cells that it touches.
    struct Band {
        /// The point at which it began, px of the layout.
        var x: Int
        var y: Int
        /// The rectangle, px of the layout.
        var box: ItemBox
        /// The cells that were already selected, and stay selected.
        var base: IndexSet
    }

    case none
    /// The button went down on a cell, at a point of the screen. If it is released there, only this cell is selected.
    case press(cell: Int, x: Double, y: Double, selectsOnRelease: Bool)
    case band(Band)
    /// Cells are being dragged to another program.
    case drag(IndexSet)
}

extension PictureGrid {
    func pressed(_ press: PointerPress) -> Bool {
        guard press.button == 1 else { return false }
        gtk_widget_grab_focus(canvas.inner)
        pointer.move(to: press.x, press.y)
        guard let cell = item(atScreen: press.x, press.y) else {
            beginBand(press)
            return true
        }
        if press.clicks == 2 {
            gesture = .none
            activate(cell)
            return true
        }
        var waits = false
        if press.modifiers.contains(.shift) {
            changeSelection { $0.extend(to: cell, adds: press.modifiers.contains(.control)) }
        } else if press.modifiers.contains(.control) {
            changeSelection { $0.toggle(cell) }
        } else if cells.items.contains(cell) {
            // All selected cells may be about to be dragged.
            waits = true
        } else {
            changeSelection { $0.select(cell) }
        }
        gesture = .press(cell: cell, x: press.x, y: press.y, selectsOnRelease: waits)
        return true
    }

    func pointerMoved(x: Double, y: Double) {
        pointer.move(to: x, y)
        extendBand()
        guard case .press(let cell, let left, let top, _) = gesture, options.dragsFiles,
            gtk_drag_check_threshold(
                canvas.inner, Int32(left), Int32(top), Int32(clamping: Int(x)), Int32(clamping: Int(y)))
                != 0
        else { return }
        drag(cell, fromX: left, y: top)
    }

    func released(button: Int, x: Double, y: Double) -> Bool {
        guard button == 1 else { return false }
        let old = gesture
        (gesture, bandTimer) = (.none, nil)
        switch old {
        case .none, .drag: return false
        case .press(let cell, _, _, let selectsOnRelease):
            if selectsOnRelease, cell < layout.count, item(atScreen: x, y) == cell {
                changeSelection { $0.select(cell) }
            }
        case .band: canvas.queueDraw()
        }
        return true
    }

    // MARK: Rectangle

    private func beginBand(_ press: PointerPress) {
        let keeps = !press.modifiers.isEmpty
        if !keeps { changeSelection { $0.clear() } }
        gesture = .none
        guard cells.mode == .multiple, let y = viewport.position(atScreen: press.y) else { return }
        let x = Int(press.x)
        gesture = .band(
            GridGesture.Band(
                x: x, y: y, box: ItemBox(x: x, y: y, width: 0, height: 0), base: keeps ? cells.items : []))
    }

    /// Extends the rectangle to the pointer. The cells below it may have moved.
    func extendBand() {
        guard case .band(var band) = gesture, let place = pointer.held else { return }
        scrollForBand()
        let (x, y) = (Int(place.x), Int((place.y + viewport.top).rounded(.down)))
        let box = ItemBox(x: min(x, band.x), y: min(y, band.y), width: abs(x - band.x), height: abs(y - band.y))
        if box == band.box { return }
        band.box = box
        gesture = .band(band)
        changeSelection { $0.set(band.base.union(layout.items(in: box))) }
        canvas.queueDraw()
    }

    /// The distance of the pointer below the screen, GTK px; negative above it.
    private var excess: Double {
        guard case .band = gesture, let y = pointer.held?.y else { return 0 }
        return y < 0 ? y : max(0, y - Double(canvas.height))
    }

    /// Scrolls as long as the pointer is above or below the screen, faster farther away.
    private func scrollForBand() {
        if excess == 0 {
            bandTimer = nil
            return
        }
        if bandTimer != nil { return }
        bandTimer = LoopTimer(seconds: 0.016, repeats: true, urgency: .frames) { [weak self] in
            guard let self, excess != 0 else { return }
            scrollBy(max(-60, min(60, excess / 3)))
        }
    }

    // MARK: Dragging

    private func drag(_ cell: Int, fromX x: Double, y: Double) {
        gesture = .none
        let dragged = cells.items.contains(cell) ? cells.items : [cell]
        guard dragged.contains(where: { $0 < layout.count && gridSource.file(at: $0) != nil }) else { return }
        gesture = .drag(dragged)
        let icon = icon(of: cell)
        canvas.beginDrag(x: x, y: y, icon: icon)
        if let icon { cairo_surface_destroy(icon) }
    }

    func draggedURIs() -> [String] {
        guard case .drag(let dragged) = gesture else { return [] }
        return dragged.filter { $0 < layout.count }.compactMap { gridSource.file(at: $0)?.absoluteString }
    }

    /// A small copy of a cell's picture. The caller owns it.
    private func icon(of cell: Int) -> OpaquePointer? {
        guard let picture = slots[cell]?.picture else { return nil }
        let size = PictureFit.size(of: picture, in: layout.pictureBox(of: cell), thumbnail: options.thumbnail)
        let factor = min(1, 96 / max(size.width, size.height))
        let (width, height) = (max(1, size.width * factor), max(1, size.height * factor))
        let surface = cairo_image_surface_create(
            CAIRO_FORMAT_ARGB32, Int32(width.rounded(.up)), Int32(height.rounded(.up)))
        let context = cairo_create(surface)!
        picture.paint(context, x: 0, y: 0, width: width, height: height)
        cairo_destroy(context)
        return surface
    }
}
