import CCairo
import Foundation
import Offstage
import OffstageVector

/// Draws the peaks of a sound.
struct WaveformPainter: Sendable {
    /// Raise it with every change that draws the same style with different pixels.
    static let version = 2

    var request: Waveform
    /// Finer peaks of the visible part, if the sound's own are too coarse.
    var detail: PeakDetail?
    private var style: WaveformStyle { request.style }

    /// - Throws: an error for a request that cannot be drawn, before anything is decoded.
    init(checking request: Waveform) throws(DrawingError) {
        self.request = request
        let style = request.style
        guard style.width > 0, style.height > 0, request.scale > 0, request.scale <= 16 else {
            throw .invalidRequest("its width, height and scale must be more than 0, and its scale at most 16")
        }
        let lengths = [
            style.barWidth, style.barGap, style.barRadius, style.minimumHeight, style.lineWidth, style.played,
            style.from, style.to ?? 1,
        ]
        guard style.barWidth > 0, lengths.allSatisfy({ $0 >= 0 && $0 < 1e9 }) else {
            throw .invalidRequest("its lengths and times must be 0 or more, and a bar's width more than 0")
        }
        if let to = style.to, to <= style.from {
            throw .invalidRequest("its visible part ends before it begins; use a --to that is larger than --from")
        }
        try checkSize()
    }

    private func checkSize() throws(DrawingError) {
        if case .vector = request.medium {
            guard max(style.width, style.height) <= PDFEncoder.limit.side else {
                throw .tooLargeForFormat(
                    measured: PixelSize(width: style.width, height: style.height), limit: PDFEncoder.limit)
            }
            return
        }
        func pixels(_ side: Int) -> Int { Int(min((Double(side) * request.scale).rounded(), 1e12)) }
        let size = PixelSize(width: max(1, pixels(style.width)), height: max(1, pixels(style.height)))
        let limit = request.limits.budget.pixels
        if size.width > limit / size.height { throw .tooManyPixels(measured: size, limit: limit) }
        if max(size.width, size.height) > 32_767 {
            throw .tooLarge(measured: size, limit: PixelSize(width: 32_767, height: 32_767))
        }
        if let format = request.formatLimit, max(size.width, size.height) > format.side {
            throw .tooLargeForFormat(measured: size, limit: format)
        }
    }

    /// The markers and regions that begin after the end of a sound.
    ///
    /// - Parameter duration: the sound's length, in seconds.
    func markerWarnings(duration: Double) -> [DrawingWarning] {
        let markers = style.markers.filter { $0 > duration }.map { "the marker at \(SoundFacts.time($0))" }
        let regions = style.regions.map(\.from).filter { $0 >= duration }.map {
            "the region starting at \(SoundFacts.time($0))"
        }
        let reason = "the sound is \(SoundFacts.time(duration)) long"
        return (markers + regions).map { DrawingWarning(.soundMarkers, $0, reason: reason) }
    }

    /// - Parameter duration: the sound's length, in seconds.
    func drawing(of pyramid: PeakPyramid, duration: Double) throws(DrawingError) -> Drawing {
        if style.from >= duration {
            throw .unusable(
                SourceProblem(
                    "no-such-part",
                    "it is \(SoundFacts.time(duration)) long, "
                        + "but its visible part begins at \(SoundFacts.time(style.from)); use an earlier --from"))
        }
        do throws(EngineUnavailable) {
            try SharedLibrary.cairo.load()
            // Needed to convert the drawing to other formats.
            if request.medium != .pixels { try SharedLibrary.harfBuzzSubset.load() }
        } catch { throw .unavailable(error) }
        switch request.medium {
        case .pixels:
            var layout = WaveformLayout(style, unit: request.scale, pyramid, duration: duration)
            layout.detail = detail
            let isOpaque = style.colors.background.isOpaque
            let size = PixelSize(width: layout.width, height: layout.height)
            var error: DrawingError?
            let pixmap = Pixmap.filled(size: size, isOpaque: isOpaque) { [layout] bytes in
                let surface = cairo_image_surface_create_for_data(
                    bytes.bindMemory(to: UInt8.self).baseAddress, CAIRO_FORMAT_ARGB32, Int32(size.width),
                    Int32(size.height), Int32(4 * size.width))
                bytes.initializeMemory(as: UInt8.self, repeating: 0)
                error = Self.paint(layout, on: surface, scale: 1)
            }
            if let error { throw error }
            return Drawing(pixmaps: [pixmap], scale: request.scale, background: style.colors.background)
        case .vector:
            var image = VectorImage(
                document: try document(of: pyramid, duration: duration),
                pages: [
                    VectorImage.Page(
                        pointsPerPixel: Paper.pointsPerCSSPixel,
                        window: VectorImage.Window(
                            x: 0, y: 0, width: Double(style.width), height: Double(style.height)))
                ], background: style.colors.background)
            let range = pyramid.range(from: style.from, to: style.to, framesPerPeak: request.framesPerPeak)
            image.data = WrittenPeaks(peaks: range.peaks, splitsChannels: style.splitsChannels)
            return Drawing(pictures: [.vector(image)], scale: 1, background: style.colors.background)
        }
    }

    /// Draws a PDF document of one page.
    private func document(of pyramid: PeakPyramid, duration: Double) throws(DrawingError) -> Data {
        // Finer than any screen, because there are no device px.
        let unit = 8.0
        var layout = WaveformLayout(style, unit: unit, pyramid, duration: duration)
        layout.detail = detail
        let target = Unmanaged.passRetained(DocumentBytes())
        defer { target.release() }
        let surface = cairo_pdf_surface_create_for_stream(
            { target, bytes, count in
                let target = Unmanaged<DocumentBytes>.fromOpaque(target!).takeUnretainedValue()
                target.data.append(bytes!, count: Int(count))
                return CAIRO_STATUS_SUCCESS
            }, target.toOpaque(), Double(style.width) * Paper.pointsPerCSSPixel,
            Double(style.height) * Paper.pointsPerCSSPixel)
        if let error = Self.paint(layout, on: surface, scale: Paper.pointsPerCSSPixel / unit) { throw error }
        return target.takeUnretainedValue().data
    }

    /// Draws onto a surface, which cannot be used afterwards.
    private static func paint(_ layout: WaveformLayout, on surface: OpaquePointer?, scale: Double) -> DrawingError? {
        let canvas = WaveformCanvas(surface, scale: scale)
        layout.paint(on: canvas)
        let status = canvas.finish()
        return status == CAIRO_STATUS_SUCCESS
            ? nil : .engineFailed(String(cString: cairo_status_to_string(status)))
    }
}

/// The bytes of a document that cairo has written so far. Used by one call on one thread.
private final class DocumentBytes {
    var data = Data()
}
