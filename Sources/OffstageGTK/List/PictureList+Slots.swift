import CWebKitGTK
import Offstage
import OffstageWebKit

/// Requests for rows, and their results.
extension PictureList {
    /// Called once per frame, before painting. Gives slots of rows that have left to rows that have come near. A
    /// picture from the cache may be lower than estimated, which makes room for another row.
    func updateSlots() {
        for _ in 0..<4 where isDirty { updateOnce() }
        if isDirty { canvas.queueUpdate() }
    }

    private func updateOnce() {
        isDirty = false
        let now = gtk_adjustment_get_value(canvas.adjustment)
        // If more than a whole screen passes in one frame, nobody sees the rows: request those of the next frame
        // instead.
        let isFlying = isScrolling && abs(now - lastValue) > Double(canvas.height)
        lastValue = now
        guard canvas.height > 0, pictureWidth > 0 else { return }
        window = ListWindow(
            heights, top: Int((value - Double(origin)).rounded(.down)), height: canvas.height, travel: window.travel,
            screens: options.lookAhead)
        let (leaving, arriving) = slotTable.show(window.near)
        release(leaving)
        for change in arriving {
            while slots.count <= change.slot { slots.append(Slot()) }
            slots[change.slot].take(change.row, identifier: source.identifier(at: change.row))
        }
        if isFlying {
            isLookDue = true
            canvas.queueUpdate()
        } else {
            askForSlots()
            prefetch()
        }
        hoveredRow = pointer.flatMap { row(atScreen: $0.y) }
        placeLiveRows()
        updateParts()
    }

    func release(_ changes: [RowSlots.Change]) { for change in changes { slots[change.slot].clear() } }

    /// Visible rows come first.
    private func askForSlots() {
        let others = [
            window.near.lowerBound..<window.visible.lowerBound, window.visible.upperBound..<window.near.upperBound,
        ]
        for row in Array(window.visible) + others.flatMap({ Array($0) }) {
            guard let slot = slot(of: row) else { continue }
            if slot.isAsked { slot.request?.setPriority(priority(of: row)) } else { ask(for: row) }
        }
    }

    private func priority(of row: Int) -> RenderPriority { window.visible.contains(row) ? .high : .normal }

    func slot(of row: Int) -> Slot? { slotTable[row].map { slots[$0] } }

    /// Requests a row's picture. The slot keeps showing an older picture of the same row until then.
    func ask(for row: Int) {
        guard let slot = slot(of: row), pictureWidth > 0, canvas.isThere else { return }
        slot.rename(source.identifier(at: row))
        slot.withdraw()
        slot.isAsked = true
        slot.hasFailed = false
        visits += 1
        slot.visit = visits
        if source.isReady(at: row) { return submit(slot, visits) }
        slot.task = Task { [weak self, weak slot, source, visit = visits] in
            // The row may have left by now, or have another number.
            guard let row = slot?.row(at: visit) else { return }
            await source.makeReady(at: row)
            guard let self, let slot, slot.visit == visit, canvas.isThere else { return }
            submit(slot, visit)
        }
    }

    private func submit(_ slot: Slot, _ visit: Int) {
        let (width, zoom) = (pictureWidth, zoom)
        // Use the row's current number.
        let row = slot.row
        guard let request = request(at: row) else { return }
        precondition(
            request.identifier == slot.identifier, "the request of row \(row) has another identifier than the row")
        let renderOptions = RenderOptions(
            priority: priority(of: row), group: options.group, showsStale: options.showsStale,
            thumbnail: options.thumbnail)
        var updates = renderer.updates(for: request, options: renderOptions).makeAsyncIterator()
        slot.request = updates.task
        if let image = updates.task.imageAtOnce {
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

    /// Shows a picture if it belongs to the slot's current row, and otherwise drops it.
    private func show(_ picture: RowPicture, in slot: Slot, _ visit: Int) {
        guard slot.visit == visit, picture.identifier == slot.identifier, canvas.isThere else { return }
        // The slot may already show a better picture of the same row, at another width.
        if picture.quality < .full, let old = slot.picture, old.quality >= picture.quality { return }
        slot.show(picture)
        slot.hasFailed = false
        slot.part?.setPicture(picture.image)
        let height = rowHeight(of: picture)
        // A known height may be more exact than that of a thumbnail.
        let isKnown = heights.isKnown(slot.row) && abs(Double(heights[slot.row] - height)) <= picture.heightDoubt
        if !isKnown || picture.heightDoubt == 0 { setHeight(height, of: slot.row) }
        canvas.queueDraw()
    }

    private func failed(_ error: RenderError, in slot: Slot, _ visit: Int) {
        guard slot.visit == visit, canvas.isThere else { return }
        if case .cancelled = error.reason {
            // Somebody else cancelled it, for example by its group. The list requests it again when the row comes near
            // again.
            return
        }
        slot.hasFailed = true
        canvas.queueDraw()
        onFailure?(slot.row, error)
    }

    /// The factor by which to enlarge a picture that was requested at another width.
    func factor(of picture: RowPicture) -> Double {
        picture.askedWidth == pictureWidth ? 1 : Double(pictureWidth) / Double(max(1, picture.askedWidth))
    }

    /// GTK px per CSS px of the picture's content.
    func contentFactor(of picture: RowPicture) -> Double { factor(of: picture) * picture.zoom }

    /// The height of a row with its padding, GTK px.
    func rowHeight(of picture: RowPicture) -> Int {
        // A fraction below 0.01 px is a rounding error.
        Int((picture.height * factor(of: picture) - 0.01).rounded(.up)) + 2 * options.verticalPadding
    }

    // MARK: Rows ahead

    private func prefetch() {
        rowsAhead = [:]
        var identifiers: [String] = []
        for row in window.aheadInOrder where source.isReady(at: row) {
            let identifier = source.identifier(at: row)
            identifiers.append(identifier)
            rowsAhead[identifier] = row
        }
        prefetcher?.prefetch(visible: [], ahead: identifiers)
        makeReadyAhead()
    }

    /// Prepares rows one after the other, and requests each as soon as it is ready.
    private func makeReadyAhead() {
        guard readying == nil, nextUnready != nil else { return }
        readying = Task { [weak self, source] in
            while let row = self?.nextUnready {
                let identifier = source.identifier(at: row)
                await source.makeReady(at: row)
                if Task.isCancelled { return }
                self?.changed()
                // If a row was ready and has become unready again, stop: retrying might never end. The row may have
                // another number by now.
                guard let self, row < heights.count, source.identifier(at: row) == identifier else { break }
                if !source.isReady(at: row) { break }
            }
            self?.readying = nil
        }
    }

    private var nextUnready: Int? { window.aheadInOrder.first { $0 < heights.count && !source.isReady(at: $0) } }

    func requestAhead(_ identifier: String) -> (any DrawingRequest)? {
        rowsAhead[identifier].flatMap { request(at: $0) }
    }

    /// A request for a picture of the list's width, at the list's zoom.
    func request(at row: Int) -> (any DrawingRequest)? {
        source.request(
            at: row, width: max(1, Int(Double(pictureWidth) / zoom)), scale: min(max(pictureScale * zoom, 0.25), 3))
    }

    /// Requests all visible rows again, at another width or scale.
    func askAgain() {
        prefetcher?.stop()
        for row in Array(slotTable.rows) {
            if let slot = slot(of: row) { slot.isAsked = false }
        }
        changed()
    }
}
