import CCairo
import Offstage

/// A cairo context. It owns the context and the surface.
final class WaveformCanvas {
    private let surface: OpaquePointer?
    let context: OpaquePointer?

    /// - Parameters:
    ///   - surface: the surface. The canvas takes ownership.
    ///   - scale: surface units per layout unit.
    init(_ surface: OpaquePointer?, scale: Double) {
        self.surface = surface
        context = cairo_create(surface)
        cairo_scale(context, scale, scale)
    }

    deinit {
        cairo_destroy(context)
        cairo_surface_destroy(surface)
    }

    /// Writes all pending output. Returns cairo's status.
    func finish() -> cairo_status_t {
        let status = cairo_status(context)
        cairo_surface_finish(surface)
        return status == CAIRO_STATUS_SUCCESS ? cairo_surface_status(surface) : status
    }

    func setColor(_ color: Color) {
        cairo_set_source_rgba(context, color.red, color.green, color.blue, color.alpha)
    }

    /// - Parameters:
    ///   - top: the start of a gradient.
    ///   - bottom: its end.
    func setPaint(_ paint: WaveformColors.Paint, top: Double, bottom: Double) {
        guard let end = paint.bottom else { return setColor(paint.top) }
        let pattern = cairo_pattern_create_linear(0, top, 0, bottom)
        for (offset, color) in [(0.0, paint.top), (1.0, end)] {
            cairo_pattern_add_color_stop_rgba(pattern, offset, color.red, color.green, color.blue, color.alpha)
        }
        cairo_set_source(context, pattern)
        cairo_pattern_destroy(pattern)
    }

    func fill(x: Double, y: Double, width: Double, height: Double, _ color: Color) {
        setColor(color)
        cairo_rectangle(context, x, y, width, height)
        cairo_fill(context)
    }

    /// Adds a rectangle with round corners to the path.
    func addBar(x: Double, y: Double, width: Double, height: Double, radius: Double) {
        let radius = min(radius, width / 2, height / 2)
        if radius <= 0 { return cairo_rectangle(context, x, y, width, height) }
        let quarter = Double.pi / 2
        cairo_new_sub_path(context)
        cairo_arc(context, x + width - radius, y + radius, radius, -quarter, 0)
        cairo_arc(context, x + width - radius, y + height - radius, radius, 0, quarter)
        cairo_arc(context, x + radius, y + height - radius, radius, quarter, 2 * quarter)
        cairo_arc(context, x + radius, y + radius, radius, 2 * quarter, 3 * quarter)
        cairo_close_path(context)
    }
}
