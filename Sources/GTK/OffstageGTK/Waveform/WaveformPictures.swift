import CGTK
import Offstage
import OffstageSound

/// The two pictures of a waveform view.
@MainActor
final class WaveformPictures {
    private unowned let view: WaveformView
    private let identifier: String
    /// The pictures on the screen.
    private var pair: Pair?
    private var task: Task<Void, Never>?
    /// The picture on the screen until the pair is ready.
    private var partial: PartialWaveform?
    /// The last request.
    private var wanted: Wanted?

    /// Callers that wait for the first pictures.
    private var waiting: [CheckedContinuation<RenderError?, Never>] = []

    private struct Pair {
        var unplayed: RowPicture
        var played: RowPicture
        var wanted: Wanted
    }

    private struct Wanted: Equatable {
        var scale: WaveformScale
        var height: Int
        var deviceScale: Int
    }

    init(view: WaveformView) {
        self.view = view
        identifier = view.waveform.identifier
    }

    isolated deinit {
        task?.cancel()
        wake(RenderError(identifier: identifier, reason: .cancelled))
    }

    var arePresent: Bool { pair != nil }
    /// True if the pictures on the screen match the view's size and part.
    var areCurrent: Bool { pair != nil && pair?.wanted == wanted }

    func cancel() {
        task?.cancel()
        task = nil
        partial = nil
        wake(RenderError(identifier: identifier, reason: .cancelled))
    }

    /// Waits for the first pictures.
    ///
    /// - Throws: `RenderError` if they cannot be drawn, or if the view ends earlier.
    func shown() async throws(RenderError) {
        if arePresent { return }
        if !view.isThere { throw RenderError(identifier: identifier, reason: .cancelled) }
        if let error = await withCheckedContinuation({ waiting.append($0) }) { throw error }
    }

    private func wake(_ error: RenderError?) {
        let continuations = waiting
        waiting = []
        for continuation in continuations { continuation.resume(returning: error) }
    }

    /// Requests pictures for the current size and part. The old ones stay, stretched, until the new ones are ready.
    func request() {
        let new = Wanted(scale: view.scale, height: view.height, deviceScale: view.deviceScale)
        guard view.isThere, new != wanted, view.width > 1, view.height > 1 else { return }
        wanted = new
        task?.cancel()
        let (renderer, requests) = (view.renderer, [0.0, 1.0].map { request(new, played: $0) })
        if pair == nil, let engine = renderer.engine(SoundEngine.self) {
            partial = PartialWaveform(
                requests[0], of: identifier + "#", duration: view.duration, engine: engine
            ) { [weak self] in self?.view.redraw() }
        }
        task = Task { [weak self] in
            do throws(RenderError) {
                let one = renderer.task(for: requests[0], options: RenderOptions(priority: .high))
                let other = renderer.task(for: requests[1], options: RenderOptions(priority: .high))
                let images = try await [one.pictures[0], other.pictures[0]]
                if !Task.isCancelled { self?.show(images, new) }
            } catch {
                if !Task.isCancelled { self?.fail(error) }
            }
        }
    }

    private func request(_ wanted: Wanted, played: Double) -> Waveform {
        var request = view.waveform
        let part = "\(wanted.scale.width)x\(wanted.height * wanted.deviceScale) \(wanted.scale.from)-\(wanted.scale.to)"
        // The cache keeps one picture per identifier and scale.
        request.identifier += "#\(part) \(played)"
        request.style.width = wanted.scale.width / wanted.deviceScale
        request.style.height = wanted.height
        request.scale = Double(wanted.deviceScale)
        request.style.played = played
        if wanted.scale.to > wanted.scale.from {
            request.style.from = wanted.scale.from
            request.style.to = wanted.scale.to
        }
        return request
    }

    private func fail(_ error: RenderError) {
        task = nil
        partial = nil
        wake(error)
        view.onFailure?(error)
    }

    private func show(_ images: [RenderedPicture], _ wanted: Wanted) {
        task = nil
        partial = nil
        var asked = PictureSizing()
        asked.width = wanted.scale.width / wanted.deviceScale
        asked.scale = Double(wanted.deviceScale)
        pair = Pair(
            unplayed: RowPicture(images[0], .full, asked), played: RowPicture(images[1], .full, asked), wanted: wanted)
        if case .number(let duration)? = images[0].content?.facts["duration"] { view.durationFound(duration) }
        view.redraw()
        wake(nil)
    }

    /// - Parameters:
    ///   - edge: the number of played device px.
    ///   - scale: the widget's current scale.
    func paint(_ context: OpaquePointer, edge: Int, scale: WaveformScale, deviceScale: Int, height: Int) {
        guard let pair else {
            partial?.paint(context)
            return
        }
        let width = Double(scale.width) / Double(deviceScale)
        let place = Double(edge) / Double(deviceScale)
        // The extent of the pictures, which may show another part.
        var (left, shown) = (0.0, width)
        let old = pair.wanted.scale
        if old.to > old.from, scale.to > scale.from {
            left = (old.from - scale.from) / (scale.to - scale.from) * width
            shown = (old.to - old.from) / (scale.to - scale.from) * width
        }
        for (start, end, picture) in [(0, place, pair.played), (place, width, pair.unplayed)] where end > start {
            cairo_save(context)
            cairo_rectangle(context, start, 0, end - start, Double(height))
            cairo_clip(context)
            picture.paint(context, x: left, y: 0, width: shown, height: Double(height))
            cairo_restore(context)
        }
    }
}
