import CGTK
import Offstage
import OffstageLists

/// The pictures of rows, their links and their live views.
extension PictureList {
    /// A request for a picture of the list's width, at the list's zoom.
    package func request(at row: Int) -> (any DrawingRequest)? { sizing.request(at: row, of: source) }

    /// Sets the height of a row's picture and keeps the visible rows in position.
    func setPictureHeight(_ height: Int, of row: Int) {
        if layout.hasPicture(ofHeight: height, in: row) { return }
        viewport.holdPlace(in: layout)
        layout.setPictureHeight(height, of: row)
        viewport.keepPlace(in: layout)
        changed()
    }
}

extension PictureList {
    func pictureArrived(_ picture: RowPicture, in slot: Slot) {
        if picture.quality == .full {
            painter.note(picture.image)
            live.pictureArrived(of: slot.item)
        }
        accessible.pictureArrived(in: slot.item)
        let height = sizing.height(of: picture)
        // A known height may be more exact than the height of a thumbnail.
        let isKnown = layout.hasPicture(ofHeight: height, in: slot.item, within: picture.heightDoubt)
        if !isKnown || picture.heightDoubt == 0 { setPictureHeight(height, of: slot.item) }
        canvas.queueDraw()
    }

    func pictureFailed(_ error: RenderError, in slot: Slot) {
        canvas.queueDraw()
        onFailure?(slot.item, error)
    }
}

extension PictureList {
    func link(atScreen x: Double, _ y: Double) -> ItemLink? {
        guard let row = item(atScreen: x, y), let picture = slots[row]?.picture else { return nil }
        let (factor, box) = (sizing.contentFactor(of: picture), layout.pictureBox(of: row))
        let left = (x - Double(box.x)) / factor
        let top = (y - viewport.screen(box.y)) / factor
        let area = picture.image.areas.last {
            $0.target != nil && left >= $0.x && left < $0.x + $0.width && top >= $0.y && top < $0.y + $0.height
        }
        return area?.target.map { ItemLink(item: row, target: $0) }
    }
}

extension PictureList: LiveItemOwner {
    func isNear(_ row: Int) -> Bool { slots.window.near.contains(row) }

    func liveRequest(for row: Int) -> (any DrawingRequest)? { request(at: row) }

    func liveBox(of row: Int) -> GtkAllocation {
        let box = layout.pictureBox(of: row)
        let picture = slots[row]?.picture
        let height = picture.map { Int(($0.height * sizing.factor(of: $0)).rounded(.up)) }
        return GtkAllocation(
            x: Int32(box.x), y: Int32(screenTop(of: row).rounded()) + Int32(options.verticalPadding),
            width: Int32(box.width), height: Int32(max(1, height ?? box.height)))
    }

    func liveViewIsReady(_ view: any LiveRow, of row: Int) {
        if slots[row]?.picture == nil, view.height > 0 { setPictureHeight(view.height, of: row) }
        accessible.viewAppeared(view.widget, in: row)
    }

    func givesFocus(to row: Int) -> Bool { selectedRow == row && gtk_widget_has_focus(canvas.inner) != 0 }

    func linkClicked(_ target: String, in row: Int) { onLink?(row, target) }

    func liveViewEnded(_ reason: LiveEnd, of row: Int) { onLiveEnd?(row, reason) }
}
