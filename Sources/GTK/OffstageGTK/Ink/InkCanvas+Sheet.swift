import CGTK
import Foundation
import Offstage
import OffstageGLib
import OffstageInk

/// The picture of the page.
extension InkCanvas {
    /// The time in each frame for drawing finished strokes, microseconds.
    private static let slice: gint64 = 6_000

    /// Takes the editor's changes, draws them, and appends them to the journal.
    func noteChange() {
        file?.append(from: &editor)
        let dirty = editor.takeDirty()
        if dirty.isEmpty { return }
        selection = selection.filter { editor.ink.has($0) }
        redraw(dirty)
        describe()
        for number in dirty.keys.sorted() { onChange?(number) }
    }

    /// Draws the parts that a file has added to the document.
    func noteMerged() {
        let dirty = editor.takeDirty()
        if dirty.isEmpty { return }
        for leaf in leaves { reload(leaf) }
        for number in dirty.keys.sorted() { onChange?(number) }
    }

    /// Draws parts of pages again, after items were removed or replaced.
    func redraw(_ dirty: [Int: InkBox]) {
        for leaf in leaves {
            guard let box = dirty[leaf.page] else { continue }
            leaf.content = InkSheetContent(&editor, page: leaf.page, backdrop: backdrops[leaf.page])
            leaf.redraw(box.part(scale: leaf.place.scale))
        }
        work()
    }

    /// Adds the stroke that was just drawn: on top of everything, so nothing else has to be drawn.
    func noteAdded(_ stroke: Stroke) {
        file?.append(from: &editor)
        _ = editor.takeDirty()
        leaf.content.page = editor.ink.pages[page]
        leaf.content.items.append(.stroke(stroke))
        leaf.content.boxes.append(stroke.bounds)
        if let part = stroke.bounds?.part(scale: place.scale), let sheet = leaf.sheet(for: stroke) {
            if sheet.isComplete {
                sheet.add(stroke, part: part, at: place, isDark: content.isDark)
            } else {
                sheet.extend(from: content.items.count - 1, at: place)
                work()
            }
            queueDraw(part, of: leaf)
        }
        describe()
        onChange?(page)
    }

    func reload() { reload(leaf) }

    func reload(_ leaf: InkLeaf) {
        leaf.content = InkSheetContent(&editor, page: leaf.page, backdrop: backdrops[leaf.page])
        leaf.redrawAll()
        describe()
        work()
    }

    /// Makes sheets of the widget's size.
    func resize() {
        let size = PixelSize(width: width * deviceScale, height: height * deviceScale)
        if isOverlay || size.width < 1 || size.height < 1 || sheet?.size == size { return }
        let isFirst = sheet == nil
        leaf.resize(size, isTransparent: false)
        place.scale = magnification * Double(deviceScale) * 96 / 72
        if isFirst { center() } else { moveTo(place) }
        leaf.redrawAll()
        work()
    }

    /// Draws for a slice of time now, and the rest in the next frames and on other threads.
    func work() {
        drawSlice(Self.slice)
        drawBands()
        if !isThere || !hasSmallParts || isTicking { return }
        isTicking = true
        addTick(to: area, for: self) { _, _, data in
            onMainActor(data!) { receiver($0, as: InkCanvas.self)?.tick() ?? 0 }
        }
    }

    /// - Returns: 1 to be called before the next frame, too.
    private func tick() -> gboolean {
        // The pen has priority.
        drawSlice(pointers.isEmpty ? Self.slice : Self.slice / 6)
        drawBands()
        isTicking = isThere && hasSmallParts
        return isTicking ? 1 : 0
    }

    private var hasSmallParts: Bool { leaves.contains { $0.sheets.contains(where: \.hasSmallParts) } }

    private func drawBands() {
        guard isThere else { return }
        // The pen has priority.
        let most = pointers.isEmpty ? max(1, ProcessInfo.processInfo.activeProcessorCount) : 1
        for leaf in leaves {
            for sheet in leaf.sheets {
                while let band = sheet.takeBand(leaf.content, at: leaf.place, most: most) {
                    Task { [weak self, weak leaf, weak sheet] in
                        let drawn = await band.drawn()
                        guard let self, let leaf, let sheet, leaf.sheets.contains(where: { $0 === sheet }) else {
                            return
                        }
                        take(drawn, sheet, leaf)
                    }
                }
            }
        }
    }

    private func take(_ band: InkBand, _ sheet: InkSheet, _ leaf: InkLeaf) {
        if let part = sheet.take(band, leaf.content, at: leaf.place) {
            queueDraw(part, of: leaf)
            if leaf === self.leaf { refreshLive(part) }
        }
        work()
    }

    private func drawSlice(_ time: gint64) {
        guard isThere else { return }
        let deadline = g_get_monotonic_time() + time
        for leaf in leaves {
            for sheet in leaf.sheets {
                guard let part = sheet.work(leaf.content, at: leaf.place, until: deadline) else { continue }
                queueDraw(part, of: leaf)
                if leaf === self.leaf { refreshLive(part) }
            }
        }
    }

    /// - Parameter part: the part of the page's picture, device px.
    func queueDraw(_ part: InkPart, of leaf: InkLeaf) {
        guard isThere else { return }
        let scale = Double(deviceScale)
        let x = Double(part.x - leaf.place.x + leaf.origin.x) / scale
        let y = Double(part.y - leaf.place.y + leaf.origin.y) / scale
        gtk_widget_queue_draw_area(
            area, Int32(clamping: Int(x.rounded(.down))), Int32(clamping: Int(y.rounded(.down))),
            Int32(clamping: Int((Double(part.width) / scale).rounded(.up)) + 1),
            Int32(clamping: Int((Double(part.height) / scale).rounded(.up)) + 1))
    }

    func draw(_ context: OpaquePointer) {
        if !isOverlay {
            cairo_set_source_rgb(context, 0.45, 0.45, 0.47)
            cairo_paint(context)
        } else if !isVisible {
            return
        }
        for leaf in leaves { leaf.paint(context, deviceScale: Double(deviceScale), isDark: isOverDark) }
        drawSelection(context)
    }

    private func drawSelection(_ context: OpaquePointer) {
        let scale = place.scale / Double(deviceScale)
        func point(_ x: Float, _ y: Float) -> (Double, Double) {
            (
                Double(x) * scale + Double(leaf.origin.x - place.x) / Double(deviceScale),
                Double(y) * scale + Double(leaf.origin.y - place.y) / Double(deviceScale)
            )
        }
        var dashes = [4.0, 3.0]
        cairo_set_line_width(context, 1)
        cairo_set_dash(context, &dashes, 2, 0)
        cairo_set_source_rgb(context, 0.1, 0.4, 0.9)
        for corner in lassoOutline {
            let (x, y) = point(corner.x, corner.y)
            cairo_line_to(context, x, y)
        }
        cairo_stroke(context)
        if let box = selectionBox {
            let (left, top) = point(box.left, box.top)
            let (right, bottom) = point(box.right, box.bottom)
            cairo_rectangle(context, left, top, right - left, bottom - top)
            cairo_stroke(context)
        }
    }

    /// Around the selected strokes; nil for none.
    var selectionBox: InkBox? {
        selection.filter { editor.ink.has($0) }.compactMap { editor.ink[$0].bounds }.reduce(nil) { box, next in
            box?.union(next) ?? next
        }
    }
}

/// The position of the page in the widget.
extension InkCanvas {
    /// The page's size, device px.
    private var pageSize: (width: Int, height: Int) {
        let page = editor.ink.pages[page]
        return (
            Int((Double(page.width) * place.scale).rounded()), Int((Double(page.height) * place.scale).rounded())
        )
    }

    /// Shows the top of the page, in the middle.
    func center() {
        guard let sheet else { return }
        var place = place
        place.x = (pageSize.width - sheet.size.width) / 2
        place.y = min(0, (pageSize.height - sheet.size.height) / 2)
        moveTo(place)
    }

    /// Scrolls, device px. The page's edges stay at the edges of the widget, or inside.
    func scroll(x: Double, y: Double) {
        var place = place
        place.x += Int(x.rounded())
        place.y += Int(y.rounded())
        moveTo(place)
    }

    func moveTo(_ wanted: InkSheet.Place) {
        guard !isOverlay, let sheet else { return }
        var place = wanted
        func limit(_ value: Int, _ page: Int, _ view: Int) -> Int {
            page <= view ? (page - view) / 2 : min(max(value, 0), page - view)
        }
        let page = editor.ink.pages[self.page]
        place.x = limit(place.x, Int((Double(page.width) * place.scale).rounded()), sheet.size.width)
        place.y = limit(place.y, Int((Double(page.height) * place.scale).rounded()), sheet.size.height)
        let old = self.place
        if place == old { return }
        self.place = place
        sheet.move(from: old, to: place)
        gtk_widget_queue_draw(area)
        work()
        // The current stroke keeps its position on the page.
        refreshLive(sheet.whole(at: place))
    }

    /// - Parameters:
    ///   - aroundX: GTK px of the widget. This point stays in place.
    ///   - y: GTK px of the widget.
    func setZoom(_ zoom: Double, aroundX: Double, y: Double) {
        guard !isOverlay, zoom.isFinite else { return }
        let zoom = min(max(zoom, 0.1), 16)
        if zoom == magnification { return }
        let (px, py) = (aroundX * Double(deviceScale), y * Double(deviceScale))
        let factor = zoom / magnification
        magnification = zoom
        var place = place
        place.scale = zoom * Double(deviceScale) * 96 / 72
        place.x = Int(((Double(place.x) + px) * factor - px).rounded())
        place.y = Int(((Double(place.y) + py) * factor - py).rounded())
        moveTo(place)
    }

    /// Converts a position in the widget, in GTK px, to points of the page.
    func pagePoint(x: Double, y: Double) -> (x: Float, y: Float) {
        let scale = Double(deviceScale)
        return (
            Float((x * scale + Double(place.x - leaf.origin.x)) / place.scale),
            Float((y * scale + Double(place.y - leaf.origin.y)) / place.scale)
        )
    }
}
