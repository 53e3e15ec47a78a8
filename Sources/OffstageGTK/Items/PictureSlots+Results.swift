import Offstage
import OffstageWebKit

/// Requests to the renderer, and their results.
extension PictureSlots {
    func submit(_ slot: Slot, _ visit: Int) {
        guard let sizing = owner?.sizing else { return }
        // Use the item's current number.
        let item = slot.item
        guard let request = sizing.request(at: item, of: source) else { return }
        precondition(
            request.identifier == slot.identifier, "the request of row \(item) has another identifier than the row")
        let renderOptions = RenderOptions(
            priority: priority(of: item), group: options.group, showsStale: options.showsStale,
            thumbnail: options.thumbnail)
        var updates = renderer.updates(for: request, options: renderOptions).makeAsyncIterator()
        slot.request = updates.task
        let (width, zoom) = (sizing.width, sizing.zoom)
        if let image = updates.task.pictureAtOnce {
            return show(RowPicture(image, .full, askedWidth: width, zoom: zoom), in: slot, visit)
        }
        slot.task = Task { [weak self, weak slot] in
            do throws(RenderError) {
                while let update = try await updates.next(isolation: MainActor.shared) {
                    guard let self, let slot else { return }
                    switch update {
                    case .placeholder: break
                    case .thumbnail(let image):
                        show(RowPicture(image, .thumbnail, askedWidth: width, zoom: zoom), in: slot, visit)
                    case .stale(let image):
                        show(RowPicture(image, .stale, askedWidth: width, zoom: zoom), in: slot, visit)
                    case .full(let image):
                        show(RowPicture(image, .full, askedWidth: width, zoom: zoom), in: slot, visit)
                    }
                }
            } catch {
                guard let self, let slot else { return }
                failed(error, in: slot, visit)
            }
        }
    }

    /// Shows a picture if it belongs to the slot's current item, and otherwise drops it.
    private func show(_ picture: RowPicture, in slot: Slot, _ visit: Int) {
        guard slot.visit == visit, picture.identifier == slot.identifier, isOpen else { return }
        // The slot may already show a better picture of the same item, at another width.
        if picture.quality < .full, let old = slot.picture, old.quality >= picture.quality { return }
        slot.show(picture)
        slot.hasFailed = false
        slot.part?.setPicture(picture.image)
        owner?.pictureArrived(picture, in: slot)
    }

    private func failed(_ error: RenderError, in slot: Slot, _ visit: Int) {
        guard slot.visit == visit, isOpen else { return }
        if case .cancelled = error.reason {
            // Somebody else cancelled it, for example by its group. The slot requests it again when the item comes
            // near again.
            return
        }
        slot.hasFailed = true
        owner?.pictureFailed(error, in: slot)
    }
}
