import CWebKitGTK
import Foundation
import Offstage
import OffstageGLib
import OffstageInk

/// The picture of the page.
extension InkCanvas {
    /// Microseconds of a frame that drawing finished strokes may take.
    private static let slice: gint64 = 6_000

    /// Takes what the editor has changed, draws it, and appends it to the journal.
    func noteChange() {
        file?.append(from: &editor)
        let dirty = editor.takeDirty()
        if dirty.isEmpty { return }
        selection = selection.filter { editor.ink.has($0) }
        if let box = dirty[page] {
            content = InkSheetContent(&editor, page: page, backdrop: backdrops[page])
            sheet?.invalidate(box.part(scale: place.scale))
            work()
        }
        describe()
        for number in dirty.keys.sorted() { onChange?(number) }
    }

    /// Adds the stroke that was just drawn: on top of everything, so nothing else has to be drawn.
    func noteAdded(_ stroke: Stroke) {
        file?.append(from: &editor)
        _ = editor.takeDirty()
        content.page = editor.ink.pages[page]
        content.items.append(.stroke(stroke))
        content.boxes.append(stroke.bounds)
        if let part = stroke.bounds?.part(scale: place.scale), let sheet {
            if sheet.isComplete {
                sheet.add(stroke, part: part, at: place, isDark: content.isDark)
            } else {
                sheet.invalidate(part)
            }
            queueDraw(part)
        }
        describe()
        onChange?(page)
    }

    func reload() {
        content = InkSheetContent(&editor, page: page, backdrop: backdrops[page])
        sheet?.invalidateAll(at: place)
        describe()
        work()
    }

    /// Makes sheets of the widget's size.
    func resize() {
        let size = PixelSize(width: width * deviceScale, height: height * deviceScale)
        if size.width < 1 || size.height < 1 || sheet?.size == size { return }
        let isFirst = sheet == nil
        sheet = InkSheet(size: size)
        liveSheet = nil
        place.scale = magnification * Double(deviceScale) * 96 / 72
        if isFirst { center() } else { moveTo(place) }
        sheet?.invalidateAll(at: place)
        work()
    }

    /// Draws for a slice of time now, and the rest in the next frames.
    func work() {
        drawSlice(Self.slice)
        if !isThere || isComplete || isTicking { return }
        isTicking = true
        addTick(to: area, for: self) { _, _, data in
            onMainActor(data!) { receiver($0, as: InkCanvas.self)?.tick() ?? 0 }
        }
    }

    /// - Returns: 1 to be called before the next frame, too.
    private func tick() -> gboolean {
        // The pen comes first.
        drawSlice(pointers.isEmpty ? Self.slice : Self.slice / 6)
        isTicking = isThere && sheet != nil && !isComplete
        return isTicking ? 1 : 0
    }

    private func drawSlice(_ time: gint64) {
        guard isThere, let sheet else { return }
        let deadline = g_get_monotonic_time() + time
        guard let part = sheet.work(content, at: place, until: deadline) else { return }
        queueDraw(part)
        refreshLive(part)
    }

    /// - Parameter part: of the page's picture, device px.
    func queueDraw(_ part: InkPart) {
        guard isThere else { return }
        let scale = Double(deviceScale)
        let (x, y) = (Double(part.x - place.x) / scale, Double(part.y - place.y) / scale)
        gtk_widget_queue_draw_area(
            area, Int32(clamping: Int(x.rounded(.down))), Int32(clamping: Int(y.rounded(.down))),
            Int32(clamping: Int((Double(part.width) / scale).rounded(.up)) + 1),
            Int32(clamping: Int((Double(part.height) / scale).rounded(.up)) + 1))
    }

    func draw(_ context: OpaquePointer) {
        cairo_set_source_rgb(context, 0.45, 0.45, 0.47)
        cairo_paint(context)
        guard let sheet = liveSheet ?? sheet else { return }
        cairo_save(context)
        cairo_scale(context, 1 / Double(deviceScale), 1 / Double(deviceScale))
        cairo_set_source_surface(context, sheet.surface, 0, 0)
        cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_NEAREST)
        cairo_paint(context)
        cairo_restore(context)
        drawSelection(context)
    }

    private func drawSelection(_ context: OpaquePointer) {
        let scale = place.scale / Double(deviceScale)
        func point(_ x: Float, _ y: Float) -> (Double, Double) {
            (
                Double(x) * scale - Double(place.x) / Double(deviceScale),
                Double(y) * scale - Double(place.y) / Double(deviceScale)
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

/// The place of the page in the widget.
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

    /// Scrolls, device px. The page's edges stay at those of the widget, or inside.
    func scroll(x: Double, y: Double) {
        var place = place
        place.x += Int(x.rounded())
        place.y += Int(y.rounded())
        moveTo(place)
    }

    func moveTo(_ wanted: InkSheet.Place) {
        guard let sheet else { return }
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
        // The stroke under the pen keeps its place on the page.
        refreshLive(sheet.whole(at: place))
    }

    /// - Parameters:
    ///   - aroundX: GTK px of the widget: this place stays where it is.
    ///   - y: GTK px of the widget.
    func setZoom(_ zoom: Double, aroundX: Double, y: Double) {
        guard zoom.isFinite else { return }
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

    /// A place of the widget, GTK px, as points of the page.
    func pagePoint(x: Double, y: Double) -> (x: Float, y: Float) {
        let scale = Double(deviceScale)
        return (
            Float((x * scale + Double(place.x)) / place.scale), Float((y * scale + Double(place.y)) / place.scale)
        )
    }
}
