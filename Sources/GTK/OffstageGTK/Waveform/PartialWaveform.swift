import CGTK
import Offstage
import OffstageSound
import Synchronization

/// The unplayed picture of a sound while it is being decoded, made from the peaks so far.
@MainActor
final class PartialWaveform {
    /// The minimum time between two pictures. It is longer for slow pictures, which may take at most a twentieth of the
    /// decoding time.
    private nonisolated static let pause = Duration.milliseconds(100)

    private let scale: Double
    private let changed: () -> Void
    /// Nil until there are peaks.
    private var surface: OpaquePointer?
    private var observation: SoundObservation?

    /// - Parameters:
    ///   - request: the request for the unplayed picture.
    ///   - prefix: the prefix of the identifiers of all requests for the sound. The first of them to be drawn decodes it.
    ///   - duration: the length of the whole sound, in seconds; 0 if unknown.
    ///   - changed: called when a new picture is ready.
    init(
        _ request: Waveform, of prefix: String, duration: Double, engine: SoundEngine,
        changed: @escaping () -> Void
    ) {
        scale = request.scale
        self.changed = changed
        let next = Mutex(ContinuousClock.now)
        // On a worker's thread.
        observation = engine.observeDecoding { [weak self] identifier, progress in
            guard identifier.hasPrefix(prefix) else { return }
            let start = ContinuousClock.now
            guard start >= next.withLock({ $0 }),
                let pixmap = try? progress.picture(as: request, duration: duration)
            else { return }
            let end = ContinuousClock.now
            next.withLock { $0 = end + max(Self.pause, start.duration(to: end) * 19) }
            Task { @MainActor in self?.show(pixmap) }
        }
    }

    isolated deinit { if let surface { cairo_surface_destroy(surface) } }

    private func show(_ pixmap: Offstage.Pixmap) {
        if let surface { cairo_surface_destroy(surface) }
        surface = RowPicture.surface(of: pixmap, rows: 0..<pixmap.size.height, scale: scale)
        changed()
    }

    func paint(_ context: OpaquePointer) {
        guard let surface else { return }
        cairo_set_source_surface(context, surface, 0, 0)
        cairo_paint(context)
    }
}
