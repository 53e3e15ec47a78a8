import CWebKitGTK
import Offstage
import OffstagePages

/// Paints annotations that are not in the document.
@MainActor
struct AnnotationPainter {
    private let context: OpaquePointer
    private let widget: UnsafeMutablePointer<GtkWidget>
    private let box: PageLayout.Box
    /// GTK px per point.
    private let scale: Double
    private let isDark: Bool

    /// - Parameters:
    ///   - box: of the whole page, GTK px.
    ///   - points: the page's width.
    ///   - isDark: true for a page whose light and dark are exchanged.
    init(
        _ context: OpaquePointer, on widget: UnsafeMutablePointer<GtkWidget>, box: PageLayout.Box, points: Double,
        isDark: Bool
    ) {
        (self.context, self.widget, self.box, self.isDark) = (context, widget, box, isDark)
        scale = box.width / points
    }

    func paint(_ annotations: [PageAnnotation]) {
        for annotation in annotations {
            cairo_save(context)
            let channels = [annotation.color.red, annotation.color.green, annotation.color.blue].map {
                Double($0) / 255
            }
            // As the pages' pictures: the opposite lightness, the same hue.
            let shift = isDark ? 1 - (channels.max() ?? 0) - (channels.min() ?? 0) : 0
            cairo_set_source_rgb(context, channels[0] + shift, channels[1] + shift, channels[2] + shift)
            switch annotation.kind {
            case .highlight:
                cairo_set_operator(context, isDark ? CAIRO_OPERATOR_SCREEN : CAIRO_OPERATOR_MULTIPLY)
                for mark in annotation.marks { rectangle(mark) }
                cairo_fill(context)
            case .underline: for mark in annotation.marks { line(mark, at: 0.95) }
            case .strikeOut: for mark in annotation.marks { line(mark, at: 0.5) }
            case .ink: paintInk(annotation)
            case .note: paintNote(annotation.part)
            case .freeText: paintText(annotation)
            case .other: break
            }
            cairo_restore(context)
        }
    }

    private func rectangle(_ part: PagePart) {
        cairo_rectangle(
            context, box.x + part.x * box.width, box.y + part.y * box.height, part.width * box.width,
            part.height * box.height)
    }

    /// - Parameter height: from the mark's top to its bottom, 0 to 1.
    private func line(_ part: PagePart, at height: Double) {
        let y = box.y + (part.y + part.height * height) * box.height
        cairo_set_line_width(context, max(1, part.height * box.height / 16))
        cairo_move_to(context, box.x + part.x * box.width, y)
        cairo_line_to(context, box.x + part.right * box.width, y)
        cairo_stroke(context)
    }

    private func paintInk(_ annotation: PageAnnotation) {
        guard let pen = annotation.pen else { return paintLines(annotation) }
        // One area, so that a translucent line does not darken itself.
        cairo_push_group(context)
        if pen.widths.map(\.count) == annotation.strokes.map(\.count) {
            for (stroke, widths) in zip(annotation.strokes, pen.widths) { paint(stroke, widths) }
        } else {
            paintLines(annotation)
        }
        cairo_pop_group_to_source(context)
        if pen.isHighlighter { cairo_set_operator(context, isDark ? CAIRO_OPERATOR_SCREEN : CAIRO_OPERATOR_MULTIPLY) }
        cairo_paint_with_alpha(context, Double(pen.opacity) / 255)
    }

    private func paint(_ stroke: [PageAnnotation.Point], _ widths: [Double]) {
        cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
        for index in stroke.indices {
            let (from, to) = (stroke[max(0, index - 1)], stroke[index])
            let width = (widths[max(0, index - 1)] + widths[index]) / 2
            cairo_set_line_width(context, max(0.1, width * scale))
            cairo_move_to(context, box.x + from.x * box.width, box.y + from.y * box.height)
            cairo_line_to(context, box.x + to.x * box.width, box.y + to.y * box.height)
            cairo_stroke(context)
        }
    }

    private func paintLines(_ annotation: PageAnnotation) {
        cairo_set_line_width(context, max(0.1, annotation.width * scale))
        cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
        cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
        for stroke in annotation.strokes {
            for point in stroke {
                cairo_line_to(context, box.x + point.x * box.width, box.y + point.y * box.height)
            }
            // A dot is a line to itself.
            if let first = stroke.first, stroke.count == 1 {
                cairo_line_to(context, box.x + first.x * box.width, box.y + first.y * box.height)
            }
            cairo_stroke(context)
        }
    }

    /// A sheet with a folded corner.
    private func paintNote(_ part: PagePart) {
        rectangle(part)
        cairo_fill_preserve(context)
        cairo_set_source_rgba(context, 0, 0, 0, 0.6)
        cairo_set_line_width(context, 1)
        cairo_stroke(context)
    }

    private func paintText(_ annotation: PageAnnotation) {
        let part = annotation.part
        let (width, height) = (part.width * box.width, part.height * box.height)
        guard width >= 1, height >= 1 else { return }
        let text = RowText(
            annotation.text, on: widget, width: Int(min(width, 10_000)), height: Int(min(height, 10_000)))
        cairo_set_source_rgb(context, 0, 0, 0)
        text.paint(context, x: box.x + part.x * box.width, y: box.y + part.y * box.height)
    }
}
