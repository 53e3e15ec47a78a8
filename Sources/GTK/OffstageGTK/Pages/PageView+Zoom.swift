import CGTK
import Offstage
import OffstageGLib
import OffstagePages

/// Zoom, and the sharp part of enlarged pages.
extension PageView {
    /// The zooms to which users step.
    static let zooms = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4, 6, 8]

    /// - Parameters:
    ///   - x, y: the point of the window that keeps its position, GTK px.
    func setZoom(_ zoom: Double, atX x: Double, y: Double) {
        let zoom = zoom.isNaN ? 1 : min(max(zoom, 0.25), 8)
        if zoom == layout.zoom { return }
        let old = layout.content
        layout.zoom = zoom
        placePages()
        layout.keep(x: x, y: y, content: old)
        placePages()
        onZoom?(zoom)
    }

    func stepZoom(by steps: Int, atX x: Double? = nil, y: Double? = nil) {
        var zoom = layout.zoom
        for _ in 0..<min(abs(steps), Self.zooms.count) {
            zoom = (steps > 0 ? Self.zooms.first { $0 > zoom + 0.001 } : Self.zooms.last { $0 < zoom - 0.001 }) ?? zoom
        }
        setZoom(zoom, atX: x ?? layout.window.width / 2, y: y ?? layout.window.height / 2)
    }

    /// Moves the window over the pages.
    ///
    /// - Returns: false at an edge, where nothing has moved.
    @discardableResult
    func pan(byX x: Double, y: Double) -> Bool {
        let old = layout.pan
        layout.pan = (old.x + x, old.y + y)
        layout.clampPan()
        if layout.pan == old { return false }
        placePages()
        return true
    }

    // MARK: Sharp parts

    /// Draws the visible part of enlarged pages once nothing has changed for a while. Until then, the old pictures are stretched.
    func sharpenSoon() {
        guard layout.pages.contains(where: { needsSharp($0) }) else {
            sharpenTimer = nil
            return
        }
        sharpenTimer = LoopTimer(seconds: options.sharpeningDelay / .seconds(1)) { [weak self] in
            self?.sharpenTimer = nil
            self?.sharpen()
        }
    }

    /// True if a page is larger than its picture, and its visible part has not been drawn at this size.
    private func needsSharp(_ placed: PageLayout.Placed) -> Bool {
        guard let cell = pages[PagePlan.Place(document: position.document, page: placed.number)], let full = cell.full,
            let visible = visiblePart(placed)
        else { return false }
        if placed.box.width * layout.deviceScale < Double(full.size.width) + 2 { return false }
        return cell.sharp.map { !($0.part.covers(visible) && isSize(cell.sharpWidth, placed)) } ?? true
    }

    private func isSize(_ width: Double, _ placed: PageLayout.Placed) -> Bool { abs(width - placed.box.width) < 1 }

    private func visiblePart(_ placed: PageLayout.Placed) -> PagePart? {
        let window = PageLayout.Box(x: 0, y: 0, width: layout.window.width, height: layout.window.height)
        guard let seen = placed.clip.intersection(window) else { return nil }
        let box = placed.box
        return PagePart(
            x: (seen.x - box.x) / box.width, y: (seen.y - box.y) / box.height, width: seen.width / box.width,
            height: seen.height / box.height)
    }

    private func sharpen() {
        for placed in layout.pages where isOpen && needsSharp(placed) {
            let place = PagePlan.Place(document: position.document, page: placed.number)
            guard let cell = pages[place], let visible = visiblePart(placed) else { continue }
            // Draw somewhat more than is visible, so that not every movement needs a new drawing.
            let part = visible.grown(by: 0.25).snapped(to: placed.box, deviceScale: layout.deviceScale)
            if cell.sharpening?.isOver == false, let asked = cell.sharpeningPart, asked.covers(visible),
                isSize(cell.sharpeningWidth, placed)
            {
                continue
            }
            guard let request = requests.request(for: place, width: placed.box.width, part: part) else { continue }
            cell.sharpening?.cancel()
            let task = renderer.task(
                for: request, options: RenderOptions(priority: .veryHigh, isImmediate: true, storesResult: false))
            engine?.makeRoom(for: request) { [weak task] in task?.isOver == false }
            (cell.sharpening, cell.sharpeningPart, cell.sharpeningWidth) = (task, part, placed.box.width)
            let width = placed.box.width
            Task { [weak self, weak cell] in
                guard let image = try? await task.picture, let self, let cell, cell.sharpening === task, isOpen else {
                    return
                }
                cell.takeSharp(image, part: part, width: width)
                if isDark { cell.sharp?.darken() }
                canvas.queueDraw()
            }
        }
    }
}

extension PagePart {
    /// True if another part is within this one, apart from rounding errors.
    fileprivate func covers(_ other: PagePart) -> Bool {
        x <= other.x + 1e-4 && y <= other.y + 1e-4 && right >= other.right - 1e-4 && bottom >= other.bottom - 1e-4
    }

    /// A part that is larger by a share of its size on each side, within the page.
    fileprivate func grown(by share: Double) -> PagePart {
        let (left, top) = (max(0, x - width * share), max(0, y - height * share))
        let (right, bottom) = (min(1, right + width * share), min(1, bottom + height * share))
        return PagePart(x: left, y: top, width: max(0, right - left), height: max(0, bottom - top))
    }

    /// The part with its edges on whole device px of the page's picture, as in the picture to be drawn.
    fileprivate func snapped(to box: PageLayout.Box, deviceScale: Double) -> PagePart {
        let (across, down) = (box.width * deviceScale, box.height * deviceScale)
        let (left, top) = ((x * across).rounded(.down) / across, (y * down).rounded(.down) / down)
        let (right, bottom) = ((right * across).rounded(.up) / across, (bottom * down).rounded(.up) / down)
        return PagePart(x: left, y: top, width: right - left, height: bottom - top)
    }
}
