import CCairo
import Offstage

/// A waveform's geometry in whole units, which are device px for a picture of pixels, so that all edges are sharp.
struct WaveformLayout {
    let style: WaveformStyle
    /// Units per CSS px.
    let unit: Double
    let pyramid: PeakPyramid
    /// Finer peaks of the visible part.
    var detail: PeakDetail?
    /// The sound's length, in seconds.
    let duration: Double
    let width: Int
    let height: Int

    init(_ style: WaveformStyle, unit: Double, _ pyramid: PeakPyramid, duration: Double) {
        self.style = style
        self.unit = unit
        self.pyramid = pyramid
        self.duration = duration
        width = max(1, Int((Double(style.width) * unit).rounded()))
        height = max(1, Int((Double(style.height) * unit).rounded()))
    }

    /// The visible part, seconds.
    var from: Double { style.from }
    var to: Double { style.to ?? max(duration, style.from + 1e-6) }

    /// A length in units, at least large enough to be visible.
    func units(_ length: Double) -> Int { max(1, Int((length * unit).rounded())) }

    /// The position of a time, in whole units from the left edge.
    func place(_ seconds: Double) -> Int {
        Int(min(max(-1e6, ((seconds - from) / (to - from) * Double(width)).rounded()), 1e6))
    }

    func outline(of tracks: [Peaks.Track], in seconds: Range<Double>) -> Peaks.Peak {
        detail?.outline(of: tracks, in: seconds) ?? pyramid.outline(of: tracks, in: seconds)
    }

    private var axisHeight: Int { style.showsAxis ? min(height - 1, units(WaveformAxis.height)) : 0 }

    func paint(on canvas: WaveformCanvas) {
        let colors = style.colors
        if colors.background.alpha > 0 {
            canvas.fill(x: 0, y: 0, width: Double(width), height: Double(height), colors.background)
        }
        let bottom = height - axisHeight
        for region in style.regions {
            let (left, right) = (max(0, place(region.from)), min(width, place(region.to)))
            if right <= left { continue }
            canvas.fill(
                x: Double(left), y: 0, width: Double(right - left), height: Double(bottom), colors.region)
        }
        let tracks = pyramid.peaks.separateTracks
        // Without separate channels, draw the outline of all: the mix of two inverted channels would be silent.
        let bands = style.splitsChannels ? tracks.map { [$0] } : [tracks]
        let level = loudest(tracks)
        for (index, tracks) in bands.enumerated() {
            let band = WaveformBand(
                layout: self, tracks: tracks, top: bottom * index / bands.count,
                bottom: bottom * (index + 1) / bands.count, level: level)
            paint(band, on: canvas)
        }
        for marker in style.markers where marker >= from && marker <= to {
            let line = units(1)
            let left = min(width - line, max(0, place(marker) - line / 2))
            canvas.fill(
                x: Double(left), y: 0, width: Double(line), height: Double(bottom), colors.marker)
        }
        if style.showsAxis { WaveformAxis(layout: self, top: bottom).paint(on: canvas) }
    }

    /// The sample value that reaches the picture's full height.
    private func loudest(_ tracks: [Peaks.Track]) -> Double {
        if !style.isNormalized { return 32_768 }
        return Double(max(1, pyramid.largest(of: tracks, in: 0..<max(duration, 1e-9))))
    }

    /// The played part has other colours, and ends between two units.
    private func paint(_ band: WaveformBand, on canvas: WaveformCanvas) {
        let played = Int((min(1, style.played) * Double(width)).rounded())
        let colors = style.colors
        let parts = [
            (0, played, colors.played, colors.playedRMS), (played, width, colors.unplayed, colors.rms),
        ]
        for (left, right, paint, rms) in parts where right > left {
            cairo_save(canvas.context)
            cairo_rectangle(canvas.context, Double(left), 0, Double(right - left), Double(height))
            cairo_clip(canvas.context)
            canvas.setPaint(paint, top: Double(band.top), bottom: Double(band.bottom))
            band.paint(.peaks, on: canvas, between: left, and: right)
            if style.showsRMS {
                canvas.setPaint(rms, top: Double(band.top), bottom: Double(band.bottom))
                band.paint(.rms, on: canvas, between: left, and: right)
            }
            cairo_restore(canvas.context)
        }
        if style.showsClipping { paintClipping(band, on: canvas) }
    }

    /// Paints the shape again in another colour where samples are clipped.
    private func paintClipping(_ band: WaveformBand, on canvas: WaveformCanvas) {
        let columns = band.clippedColumns()
        if columns.isEmpty { return }
        cairo_save(canvas.context)
        for column in columns {
            cairo_rectangle(
                canvas.context, Double(column.lowerBound), Double(band.top), Double(column.count),
                Double(band.bottom - band.top))
        }
        cairo_clip(canvas.context)
        canvas.setColor(style.colors.clipping)
        band.paint(.peaks, on: canvas, between: 0, and: width)
        cairo_restore(canvas.context)
    }
}
