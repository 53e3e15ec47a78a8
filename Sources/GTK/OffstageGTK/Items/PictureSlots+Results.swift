import Offstage

/// Requests to the renderer, and their results.
extension PictureSlots {
    func submit(_ slot: Slot, _ visit: Int) {
        // Use the item's current number.
        guard let sizing = owner?.sizing, let request = request(for: slot) else { return }
        let renderOptions = RenderOptions(
            priority: priority(of: slot.item), group: options.group, showsStale: options.showsStale,
            thumbnail: options.thumbnail)
        if options.showsOnlyThumbnails, let box = options.thumbnail {
            return submitThumbnail(of: request, box, in: slot, visit, sizing)
        }
        var updates = renderer.updates(for: request, options: renderOptions).makeAsyncIterator()
        slot.request = updates.task
        if let image = updates.task.pictureAtOnce {
            return show(RowPicture(image, .full, sizing), in: slot, visit)
        }
        showThumbnail(of: request, in: slot, visit, sizing)
        slot.task = Task { [weak self, weak slot] in
            do throws(RenderError) {
                while let update = try await updates.next(isolation: MainActor.shared) {
                    guard let self, let slot else { return }
                    switch update {
                    case .placeholder: break
                    case .thumbnail(let image):
                        show(RowPicture(image, .thumbnail, sizing), in: slot, visit)
                    case .stale(let image):
                        show(RowPicture(image, .stale, sizing), in: slot, visit)
                    case .full(let image):
                        show(RowPicture(image, .full, sizing), in: slot, visit)
                    }
                }
            } catch {
                guard let self, let slot else { return }
                failed(error, in: slot, visit)
            }
        }
    }

    /// Requests only a thumbnail. Its page is drawn only if no thumbnail is cached.
    private func submitThumbnail(
        of request: any DrawingRequest, _ box: PixelSize, in slot: Slot, _ visit: Int, _ sizing: PictureSizing
    ) {
        // An older thumbnail stays until the new one is ready.
        let isChange = slot.picture != nil
        showThumbnail(of: request, in: slot, visit, sizing)
        if slot.picture != nil, !isChange { return }
        let renderOptions = RenderOptions(priority: priority(of: slot.item), group: options.group)
        slot.task = Task { [weak self, weak slot, renderer] in
            do throws(RenderError) {
                let image = try await renderer.thumbnail(for: request, fittingInto: box, options: renderOptions)
                guard let self, let slot else { return }
                show(RowPicture(image, .thumbnail, sizing), in: slot, visit, isNewer: isChange)
            } catch {
                guard let self, let slot else { return }
                failed(error, in: slot, visit)
            }
        }
    }

    /// Shows thumbnails of visible items if they are in memory, even of items that leave before they could be
    /// requested.
    func showThumbnails() {
        for item in window.visible {
            guard let slot = self[item], slot.picture == nil, !slot.hasLooked, source.isReady(at: item),
                let sizing = owner?.sizing, sizing.width > 0, let request = request(for: slot)
            else { continue }
            showThumbnail(of: request, in: slot, slot.visit, sizing)
        }
    }

    /// Shows the thumbnail in the same frame if it is in memory and the slot shows nothing else.
    private func showThumbnail(of request: any DrawingRequest, in slot: Slot, _ visit: Int, _ sizing: PictureSizing) {
        guard slot.picture == nil, !slot.hasLooked, let box = options.thumbnail else { return }
        slot.hasLooked = true
        if let image = renderer.thumbnailAtOnce(for: request, fittingInto: box) {
            return show(RowPicture(image, .thumbnail, sizing), in: slot, visit)
        }
        for other in owner?.otherSizings ?? [] where other != sizing {
            guard let request = self.request(for: slot, other),
                let image = renderer.thumbnailAtOnce(for: request, fittingInto: box)
            else { continue }
            return show(RowPicture(image, .thumbnail, sizing), in: slot, visit)
        }
    }

    /// The request of a slot's item; nil if the item shows only its text, or if its identifier differs from the slot's
    /// because the source has changed without reporting it yet.
    private func request(for slot: Slot, _ sizing: PictureSizing? = nil) -> (any DrawingRequest)? {
        guard let request = (sizing ?? owner?.sizing)?.request(at: slot.item, of: source),
            request.identifier == slot.identifier
        else { return nil }
        return request
    }

    /// Shows a picture if it belongs to the slot's current item, and otherwise drops it.
    ///
    /// - Parameter isNewer: true to replace an older picture, even if it is a better one.
    private func show(_ picture: RowPicture, in slot: Slot, _ visit: Int, isNewer: Bool = false) {
        guard slot.visit == visit, picture.identifier == slot.identifier, isOpen else { return }
        // The slot may already show a better picture of the same item, at another width.
        if !isNewer, picture.quality < .full, let old = slot.picture, old.quality >= picture.quality { return }
        slot.show(picture)
        slot.hasFailed = false
        owner?.pictureArrived(picture, in: slot)
    }

    private func failed(_ error: RenderError, in slot: Slot, _ visit: Int) {
        guard slot.visit == visit, isOpen else { return }
        if case .cancelled = error.reason {
            // The request was cancelled elsewhere, for example by its group. The slot requests it again when the item
            // comes near again.
            return
        }
        slot.hasFailed = true
        owner?.pictureFailed(error, in: slot)
    }
}
