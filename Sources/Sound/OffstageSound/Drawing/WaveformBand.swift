import CCairo
import Foundation
import Offstage

/// The waveform of one track, or the common outline of several.
struct WaveformBand {
    let layout: WaveformLayout
    let tracks: [Peaks.Track]
    /// Whole units from the upper edge.
    let top: Int
    let bottom: Int
    /// The sample value that reaches the band's full height.
    let level: Double

    enum Value { case peaks, rms }

    private var style: WaveformStyle { layout.style }
    private var height: Int { bottom - top }

    /// Fills or strokes the form with the current source.
    func paint(_ value: Value, on canvas: WaveformCanvas, between left: Int, and right: Int) {
        switch style.shape {
        case .bars: addBars(value, to: canvas, left, right)
        case .filled: addColumns(value, to: canvas, left, right)
        case .line:
            if value == .peaks, style.alignment == .center, let detail = layout.detail, detail.hasSamples {
                return strokeSamples(detail, on: canvas)
            }
            return strokeLine(value, on: canvas, left, right)
        }
        cairo_fill(canvas.context)
    }

    /// The parts with clipped samples: bars, or columns wide enough to see. Peaks finer than the sound's own don't
    /// record clipping.
    func clippedColumns() -> [Range<Int>] {
        let bar = layout.units(style.barWidth)
        let step = style.shape == .bars ? bar + Int((style.barGap * layout.unit).rounded()) : 1
        let width = style.shape == .bars ? bar : layout.units(1)
        let perUnit = (layout.to - layout.from) / Double(layout.width)
        return stride(from: 0, to: layout.width, by: step).compactMap { x in
            let start = layout.from + Double(x) * perUnit
            let peak = layout.pyramid.outline(of: tracks, in: start..<start + Double(step) * perUnit)
            return peak.isClipped ? x..<min(x + width, layout.width) : nil
        }
    }

    private func addBars(_ value: Value, to canvas: WaveformCanvas, _ left: Int, _ right: Int) {
        let bar = layout.units(style.barWidth)
        let step = bar + Int((style.barGap * layout.unit).rounded())
        for x in stride(from: left / step * step, to: right, by: step) {
            let (upper, lower) = extent(value, x, x + step)
            canvas.addBar(
                x: Double(x), y: Double(upper), width: Double(min(bar, layout.width - x)),
                height: Double(lower - upper), radius: style.barRadius * layout.unit)
        }
    }

    /// Rectangles of whole units, so that no edge is blurred.
    private func addColumns(_ value: Value, to canvas: WaveformCanvas, _ left: Int, _ right: Int) {
        var start = left
        var extent = self.extent(value, left, left + 1)
        for x in left + 1...right {
            let next = x < right ? self.extent(value, x, x + 1) : (-1, -1)
            if next == extent { continue }
            if extent.1 > extent.0 {
                cairo_rectangle(
                    canvas.context, Double(start), Double(extent.0), Double(x - start), Double(extent.1 - extent.0))
            }
            (start, extent) = (x, next)
        }
    }

    private func strokeLine(_ value: Value, on canvas: WaveformCanvas, _ left: Int, _ right: Int) {
        // The shape of the whole track, so that the line is the same on both sides of the played part's end.
        let margin = layout.units(style.lineWidth) + 2
        let columns = max(0, left - margin)..<min(layout.width, right + margin)
        let line = Double(layout.units(style.lineWidth))
        func points(_ y: ((Int, Int)) -> Double) {
            var isFirst = true
            for x in columns {
                let (place, height) = (Double(x) + 0.5, y(extent(value, x, x + 1)))
                if isFirst { cairo_move_to(canvas.context, place, height) }
                isFirst = false
                cairo_line_to(canvas.context, place, height)
            }
        }
        if style.alignment != .top { points { Double($0.0) + line / 2 } }
        if style.alignment != .bottom { points { Double($0.1) - line / 2 } }
        cairo_set_line_width(canvas.context, line)
        cairo_set_line_join(canvas.context, CAIRO_LINE_JOIN_ROUND)
        cairo_stroke(canvas.context)
    }

    /// The wave itself, from sample to sample, because its outline would be two lines.
    private func strokeSamples(_ detail: PeakDetail, on canvas: WaveformCanvas) {
        let perSecond = Double(layout.width) / (layout.to - layout.from)
        let middle = Double(top) + Double(height / 2)
        for track in tracks {
            cairo_new_sub_path(canvas.context)
            for (seconds, value) in detail.samples(of: track) {
                let swing = share(abs(Double(value))) * Double(height / 2)
                cairo_line_to(
                    canvas.context, (seconds - layout.from) * perSecond, value < 0 ? middle + swing : middle - swing)
            }
        }
        cairo_set_line_width(canvas.context, Double(layout.units(style.lineWidth)))
        cairo_set_line_join(canvas.context, CAIRO_LINE_JOIN_ROUND)
        cairo_stroke(canvas.context)
    }

    /// The upper and the lower edge of the peak between two positions, in whole units.
    private func extent(_ value: Value, _ left: Int, _ right: Int) -> (Int, Int) {
        let (up, down) = heights(value, left, right)
        let least = style.minimumHeight * layout.unit
        let space = Double(height)
        // With an odd number of units, the middle one is on the lower side.
        let middle = height / 2
        switch style.alignment {
        case .center:
            let minimum = (least / 2).rounded()
            let upper = Int(max(minimum, (up * Double(middle)).rounded()))
            let lower = Int(max(minimum, (down * Double(height - middle)).rounded()))
            return (top + max(0, middle - upper), min(bottom, top + middle + lower))
        case .bottom:
            return (max(top, bottom - Int(max(least.rounded(), (max(up, down) * space).rounded()))), bottom)
        case .top:
            return (top, min(bottom, top + Int(max(least.rounded(), (max(up, down) * space).rounded()))))
        }
    }

    /// Above and below the middle, from 0 to 1.
    private func heights(_ value: Value, _ left: Int, _ right: Int) -> (Double, Double) {
        let perUnit = (layout.to - layout.from) / Double(layout.width)
        let start = layout.from + Double(left) * perUnit
        let peak = layout.outline(of: tracks, in: start..<layout.from + Double(right) * perUnit)
        var (up, down) = (Double(peak.highest), -Double(peak.lowest))
        switch value {
        case .rms: (up, down) = (peak.meanSquare.squareRoot(), peak.meanSquare.squareRoot())
        case .peaks where style.isMirrored: (up, down) = (max(up, down, 0), max(up, down, 0))
        case .peaks: break
        }
        return (share(up), share(down))
    }

    private func share(_ sample: Double) -> Double {
        let share = min(1, max(0, sample / level))
        switch style.amplitude {
        case .linear: return share
        case .decibels: return share <= 0 ? 0 : max(0, 1 + 20 * log10(share) / 60)
        }
    }
}
