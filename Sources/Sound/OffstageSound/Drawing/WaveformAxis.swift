import CCairo
import Foundation
import Offstage

/// The times below a waveform.
struct WaveformAxis {
    let layout: WaveformLayout
    /// Whole units from the upper edge.
    let top: Int

    /// CSS px.
    static let height = 18.0
    /// The minimum distance between two times, CSS px.
    private static let distance = 64.0
    private static let steps = [
        0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600,
        7200, 10_800, 21_600, 43_200, 86_400,
    ]

    func paint(on canvas: WaveformCanvas) {
        let context = canvas.context
        canvas.setColor(layout.style.colors.axis)
        let line = Double(layout.units(1))
        cairo_rectangle(context, 0, Double(top), Double(layout.width), line)
        let span = layout.to - layout.from
        let least = span * Self.distance * layout.unit / Double(layout.width)
        let step = Self.steps.first { $0 >= least } ?? least
        let options = cairo_font_options_create()
        defer { cairo_font_options_destroy(options) }
        // Makes text look the same on every screen.
        cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        cairo_set_font_options(context, options)
        cairo_select_font_face(context, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL)
        cairo_set_font_size(context, 10 * layout.unit)
        var number = (layout.from / step).rounded(.up)
        while number * step <= layout.to + step * 1e-9 {
            let x = Double(layout.place(number * step))
            cairo_rectangle(context, x, Double(top), line, Double(layout.units(4)))
            let text = Self.text(number * step, step: step)
            var extents = cairo_text_extents_t()
            cairo_text_extents(context, text, &extents)
            let left = x + Double(layout.units(3))
            if left + extents.x_advance <= Double(layout.width) {
                cairo_move_to(context, left, Double(top + layout.units(13)))
                cairo_text_path(context, text)
            }
            number += 1
        }
        cairo_fill(context)
    }

    /// `1:05`, `1:00:05`, or `0:01.25` for steps of less than a second.
    static func text(_ seconds: Double, step: Double) -> String {
        let digits = step >= 1 ? 0 : step >= 0.1 ? 1 : step >= 0.01 ? 2 : 3
        let scale = pow(10, Double(digits))
        let units = Int((min(seconds, 1e9) * scale).rounded())
        let whole = units / Int(scale)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        var text = whole >= 3600 ? "\(whole / 3600):\(two(whole / 60 % 60))" : "\(whole / 60)"
        text += ":" + two(whole % 60)
        if digits == 0 { return text }
        let fraction = String(units % Int(scale))
        return text + "." + String(repeating: "0", count: digits - fraction.count) + fraction
    }
}
