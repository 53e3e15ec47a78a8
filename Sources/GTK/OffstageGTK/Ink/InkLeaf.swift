import CGTK
import Offstage
import OffstageInk

/// A page on a canvas: its content, its pixels, and their position.
@MainActor
final class InkLeaf {
    /// The plane of a sheet. Highlighters darken content that the canvas does not draw itself, so they cannot be in the
    /// same picture as other ink.
    enum Plane: CaseIterable {
        case marks, ink

        /// Returns true for the strokes of the plane.
        func has(_ stroke: Stroke) -> Bool { (stroke.tool == .highlighter) == (self == .marks) }
    }

    /// From 0.
    var page: Int
    var content: InkSheetContent
    var place = InkSheet.Place()
    /// The upper left corner of the sheets, device px of the widget.
    var origin = (x: 0, y: 0)
    /// Normally one sheet, with paper and all strokes. Over another widget, one for each plane in use.
    var sheets: [InkSheet] = []
    /// The sheet with the strokes that are being drawn, and the one that it replaces on the screen.
    var live: (sheet: InkSheet, below: InkSheet)?

    init(page: Int, content: InkSheetContent) { (self.page, self.content) = (page, content) }

    var isComplete: Bool { sheets.allSatisfy(\.isComplete) }

    /// The sheet on which a stroke is drawn; over another widget, it is made for the first stroke of its plane.
    func sheet(for stroke: Stroke) -> InkSheet? {
        if let sheet = sheets.first(where: { $0.plane?.has(stroke) ?? true }) { return sheet }
        guard let size = sheets.first?.size else { return nil }
        let sheet = InkSheet(size: size, plane: stroke.tool == .highlighter ? .marks : .ink)
        // Highlighters are below other ink.
        sheets.insert(sheet, at: sheet.plane == .marks ? 0 : sheets.count)
        return sheet
    }

    /// Replaces the sheets with sheets of another size.
    func resize(_ size: PixelSize, isTransparent: Bool) {
        live = nil
        if !isTransparent {
            sheets = [InkSheet(size: size, plane: nil)]
            return
        }
        let strokes = content.items.compactMap(\.stroke)
        let planes = InkLeaf.Plane.allCases.filter { $0 == .ink || strokes.contains(where: $0.has) }
        sheets = planes.map { InkSheet(size: size, plane: $0) }
    }

    /// Marks a part to be drawn again, after items were removed or replaced.
    func redraw(_ part: InkPart) {
        for sheet in sheets {
            sheet.restart()
            sheet.invalidate(part)
        }
        // The first highlighter of the page.
        if let mark = content.items.lazy.compactMap(\.stroke).first(where: InkLeaf.Plane.marks.has),
            sheets.first?.plane == .ink
        {
            sheet(for: mark)?.invalidateAll(at: place)
        }
    }

    func redrawAll() { for sheet in sheets { sheet.invalidateAll(at: place) } }

    /// - Parameter isDark: true if the page below is dark.
    func paint(_ context: OpaquePointer, deviceScale: Double, isDark: Bool) {
        for sheet in sheets {
            let shown = live?.below === sheet ? live?.sheet ?? sheet : sheet
            cairo_save(context)
            cairo_scale(context, 1 / deviceScale, 1 / deviceScale)
            if sheet.plane == .marks {
                cairo_set_operator(context, isDark ? CAIRO_OPERATOR_SCREEN : CAIRO_OPERATOR_MULTIPLY)
            }
            cairo_set_source_surface(context, shown.surface, Double(origin.x), Double(origin.y))
            cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_NEAREST)
            cairo_paint(context)
            cairo_restore(context)
        }
    }
}
