import CGTK
import Offstage
import OffstagePages

/// Paints one frame of a page view. For a page with a picture, it decodes and scales nothing but the picture.
@MainActor
struct PageFrame {
    private let view: PageView
    private let context: OpaquePointer

    init(_ view: PageView, _ context: OpaquePointer) { (self.view, self.context) = (view, context) }

    func paint() {
        let shade = view.isDark ? 0.08 : 0.45
        cairo_set_source_rgb(context, shade, shade, shade)
        cairo_paint(context)
        for placed in view.layout.pages { paint(placed) }
    }

    private func paint(_ placed: PageLayout.Placed) {
        let place = PagePlan.Place(document: view.position.document, page: placed.number)
        let (clip, scale) = (placed.clip, view.layout.deviceScale)
        func whole(_ value: Double) -> Double { (value * scale).rounded() / scale }
        let (left, top) = (whole(clip.x), whole(clip.y))
        cairo_save(context)
        cairo_rectangle(context, left, top, whole(clip.right) - left, whole(clip.bottom) - top)
        cairo_clip(context)
        let paper = view.isDark ? 0.0 : 1.0
        cairo_set_source_rgb(context, paper, paper, paper)
        cairo_paint(context)
        // Cells are looked up by the painted page, so a cell cannot contain another page's picture.
        if let cell = view.pages[place] {
            view.shown.append(paintPicture(of: cell, in: placed.box))
            if view.variant != .plain, let annotations = view.annotations[place] {
                AnnotationPainter(
                    context, on: view.canvas.inner, box: placed.box, points: cell.points, isDark: view.isDark
                ).paint(annotations)
            }
            let ink = view.ink(on: place)
            if !ink.isEmpty {
                AnnotationPainter(
                    context, on: view.canvas.inner, box: placed.box, points: cell.points, isDark: view.isDark
                ).paint(ink)
            }
            paintMarks(in: placed)
        } else {
            view.shown.append(ShownPage(place: place, quality: .blank, identifier: ""))
        }
        let box = placed.box
        view.onPaintPage?(context, place, (box.x, box.y, box.width, box.height))
        cairo_restore(context)
    }

    private func paintPicture(of cell: PageCell, in box: PageLayout.Box) -> ShownPage {
        let scale = view.layout.deviceScale
        guard let surface = cell.full ?? cell.thumbnail else {
            if cell.error != nil { paintNumber(of: cell, in: box) }
            return ShownPage(place: cell.place, quality: .blank, identifier: "")
        }
        surface.paint(context, in: box, deviceScale: scale, isDark: view.isDark)
        var quality = ShownPage.Quality.thumbnail
        if cell.full != nil {
            quality = abs(box.width * scale - Double(surface.size.width)) < 2 ? .full : .stretched
        }
        if quality == .stretched, let sharp = cell.sharp {
            sharp.paint(context, in: box, deviceScale: scale, isDark: view.isDark)
            if abs(cell.sharpWidth - box.width) < 1 { quality = .full }
        }
        return ShownPage(place: cell.place, quality: quality, identifier: cell.identifier)
    }

    /// Paints the page's number instead of a picture that cannot be drawn.
    private func paintNumber(of cell: PageCell, in box: PageLayout.Box) {
        let label = view.requests.book(cell.place.document)?.label(ofPage: cell.place.page) ?? "\(cell.place.page)"
        let width = max(1, Int(min(box.width, 10_000)))
        let text = RowText(label: "\(label)", on: view.canvas.inner, width: width)
        cairo_set_source_rgb(context, 0.5, 0.5, 0.5)
        text.paint(context, x: box.x, y: box.y + box.height / 2)
    }

    // MARK: Marks

    private func paintMarks(in placed: PageLayout.Placed) {
        let page = placed.number
        fill(view.search.parts(view.position.document, page), in: placed.box, red: 1, green: 0.85, blue: 0)
        if let current = view.search.currentParts(view.position.document, page) {
            fill(current, in: placed.box, red: 1, green: 0.5, blue: 0)
        }
        fill(view.selectedParts(ofPage: page), in: placed.box, red: 0.2, green: 0.5, blue: 1)
    }

    private func fill(_ parts: [PagePart], in box: PageLayout.Box, red: Double, green: Double, blue: Double) {
        if parts.isEmpty { return }
        // Like a marker: the letters stay dark on light paper, and light on dark paper.
        cairo_set_operator(context, view.isDark ? CAIRO_OPERATOR_SCREEN : CAIRO_OPERATOR_MULTIPLY)
        cairo_set_source_rgba(context, red, green, blue, view.isDark ? 0.6 : 0.45)
        for part in parts {
            cairo_rectangle(
                context, box.x + part.x * box.width, box.y + part.y * box.height, part.width * box.width,
                part.height * box.height)
        }
        cairo_fill(context)
        cairo_set_operator(context, CAIRO_OPERATOR_OVER)
    }
}
