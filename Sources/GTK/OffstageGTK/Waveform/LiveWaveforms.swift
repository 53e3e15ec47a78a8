import CGTK
import Offstage
import OffstageGLib
import OffstageLists
import OffstageSound

/// Provides waveform views for sound rows of a list. The row that is playing shows one instead of its picture.
///
///     let waveforms = LiveWaveforms(renderer: renderer) { $0.setPosition(player.position, rate: player.rate) }
///     let list = PictureList(renderer: renderer, source: songs, liveRows: [waveforms])
///     list.makeLive(row: 3)
public struct LiveWaveforms: LiveRowProvider {
    private let renderer: Renderer
    private let prepare: @MainActor (WaveformView) -> Void

    /// Makes a provider.
    ///
    /// - Parameters:
    ///   - renderer: the list's renderer.
    ///   - prepare: called with each new view, to connect it with the host's player. Its `waveform` has the row's identifier.
    public init(renderer: Renderer, prepare: @escaping @MainActor (WaveformView) -> Void) {
        (self.renderer, self.prepare) = (renderer, prepare)
    }

    public func liveRow(for request: Waveform) async throws -> any LiveRow {
        let view = WaveformView(renderer: renderer, waveform: request)
        prepare(view)
        return LiveWaveform(view, height: request.style.height)
    }
}

/// A waveform view shown instead of a row's picture.
@MainActor
private final class LiveWaveform: LiveRow {
    private let view: WaveformView
    let height: Int
    /// A waveform has no links.
    var onLink: ((String) -> Void)?
    var onEnd: ((LiveEnd) -> Void)?

    init(_ view: WaveformView, height: Int) {
        self.view = view
        self.height = height
    }

    var widget: UnsafeMutablePointer<GtkWidget> { view.widget }

    func show() async throws { try await view.pictures.shown() }

    func close() {
        view.pictures.cancel()
        if view.isThere { gtk_widget_destroy(view.widget) }
    }
}
