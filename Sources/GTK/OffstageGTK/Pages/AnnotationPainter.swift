import CGTK
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
    ///   - box: the whole page's box, GTK px.
    ///   - points: the page's width.
    ///   - isDark: true for a page with inverted lightness.
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
            setColor(annotation.color)
            switch annotation.kind {
            case .highlight:
                cairo_set_operator(context, isDark ? CAIRO_OPERATOR_SCREEN : CAIRO_OPERATOR_MULTIPLY)
                for mark in annotation.marks { rectangle(mark) }
                cairo_fill(context)
            case .underline, .squiggly: for mark in annotation.marks { line(mark, at: 0.95) }
            case .strikeOut: for mark in annotation.marks { line(mark, at: 0.5) }
            case .ink: paintInk(annotation)
            case .line, .polygon, .polyLine: paintCorners(annotation)
            case .square: paintShape(annotation) { rectangle(annotation.part) }
            case .circle: paintShape(annotation) { ellipse(annotation.part) }
            case .note: paintNote(annotation.part)
            case .freeText: paintText(annotation)
            case .other: break
            }
            cairo_restore(context)
        }
    }

    private func setColor(_ color: PageAnnotation.Color) {
        let channels = [color.red, color.green, color.blue].map { Double($0) / 255 }
        // Like the pages' pictures: inverted lightness, the same hue.
        let shift = isDark ? 1 - (channels.max() ?? 0) - (channels.min() ?? 0) : 0
        cairo_set_source_rgb(context, channels[0] + shift, channels[1] + shift, channels[2] + shift)
    }

    private func rectangle(_ part: PagePart) {
        cairo_rectangle(
            context, box.x + part.x * box.width, box.y + part.y * box.height, part.width * box.width,
            part.height * box.height)
    }

    /// - Parameter height: the position of the line, from 0 at the mark's top to 1 at its bottom.
    private func line(_ part: PagePart, at height: Double) {
        let y = box.y + (part.y + part.height * height) * box.height
        cairo_set_line_width(context, max(1, part.height * box.height / 16))
        cairo_move_to(context, box.x + part.x * box.width, y)
        cairo_line_to(context, box.x + part.right * box.width, y)
        cairo_stroke(context)
    }

    private func paintInk(_ annotation: PageAnnotation) {
        guard let pen = annotation.pen else { return paintLines(annotation) }
        // Draw one area, so that a translucent line does not darken itself.
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
            // A dot is a line to its own position.
            if let first = stroke.first, stroke.count == 1 {
                cairo_line_to(context, box.x + first.x * box.width, box.y + first.y * box.height)
            }
            cairo_stroke(context)
        }
    }

    private func paintCorners(_ annotation: PageAnnotation) {
        paintShape(annotation) {
            for point in annotation.strokes.first ?? [] {
                cairo_line_to(context, box.x + point.x * box.width, box.y + point.y * box.height)
            }
            if annotation.kind == .polygon { cairo_close_path(context) }
        }
    }

    /// - Parameter path: adds the shape's outline to the path.
    private func paintShape(_ annotation: PageAnnotation, _ path: () -> Void) {
        cairo_push_group(context)
        if let fill = annotation.fill, annotation.kind != .line {
            setColor(fill)
            path()
            cairo_fill(context)
        }
        if annotation.width > 0 {
            setColor(annotation.color)
            path()
            cairo_set_line_width(context, max(0.1, annotation.width * scale))
            cairo_stroke(context)
        }
        cairo_pop_group_to_source(context)
        cairo_paint_with_alpha(context, annotation.opacity)
    }

    private func ellipse(_ part: PagePart) {
        guard part.width > 0, part.height > 0 else { return }
        cairo_save(context)
        cairo_translate(
            context, box.x + (part.x + part.width / 2) * box.width, box.y + (part.y + part.height / 2) * box.height)
        cairo_scale(context, part.width * box.width / 2, part.height * box.height / 2)
        cairo_arc(context, 0, 0, 1, 0, 2 * .pi)
        cairo_restore(context)
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
        if let fill = annotation.fill {
            setColor(fill)
            rectangle(part)
            cairo_fill(context)
        }
        let text = RowText(
            annotation.text, on: widget, width: Int(min(width, 10_000)), height: Int(min(height, 10_000)))
        setColor(annotation.color)
        text.paint(context, x: box.x + part.x * box.width, y: box.y + part.y * box.height)
    }
}
