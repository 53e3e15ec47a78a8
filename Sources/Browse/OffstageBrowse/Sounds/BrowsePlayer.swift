import CGTK
import Offstage
import OffstageGLib
import OffstageGTK
import OffstageSound
import OffstageWebKit

/// The sound that is being played, below the list: a button, the waveform and the time.
@MainActor
final class BrowsePlayer {
    /// The widget to put into the window.
    let widget: UnsafeMutablePointer<GtkWidget>
    /// The number of the input, and its name.
    let row: Int
    let name: String
    /// Called with the text of the status line.
    var onMessage: ((String) -> Void)?

    private var view: WaveformView
    private let renderer: Renderer
    private var player: SoundPlayer?
    private let button = gtk_button_new()!
    private let time = gtk_label_new(nil)!
    private var timer: LoopTimer?
    private var loading: Task<Void, Never>?
    private let handlers = SignalHandlers()

    /// Begins to play.
    init(_ waveform: Waveform, of path: String, row: Int, name: String, renderer: Renderer) {
        (self.row, self.name, self.renderer) = (row, name, renderer)
        view = WaveformView(renderer: renderer, waveform: waveform)
        widget = g_object_ref_sink(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6)).assumingMemoryBound(to: GtkWidget.self)
        gtk_container_set_border_width(cast(widget), 6)
        gtk_widget_set_valign(button, GTK_ALIGN_CENTER)
        gtk_widget_set_can_focus(button, 0)
        gtk_widget_set_tooltip_text(button, "Play or pause (Space)")
        // The widest time, so that the waveform keeps its size.
        gtk_label_set_width_chars(cast(time), 15)
        gtk_box_pack_start(cast(widget), button, 0, 0, 0)
        gtk_box_pack_end(cast(widget), time, 0, 0, 0)
        let clicked: @convention(c) (UnsafeMutableRawPointer, gpointer) -> Void = { _, data in
            onMainActor(data) { receiver($0, as: BrowsePlayer.self)?.toggle() }
        }
        handlers.connect("clicked", of: button, unsafeBitCast(clicked, to: GCallback.self), to: self)
        addView()
        gtk_widget_show_all(widget)
        showState()
        loading = Task { [weak self] in await self?.load(path) }
    }

    isolated deinit {
        loading?.cancel()
        handlers.disconnect()
        g_object_unref(widget)
    }

    /// Shows the same sound in other colours.
    func show(_ waveform: Waveform) {
        let (position, rate, duration) = (view.position, view.rate, view.duration)
        gtk_container_remove(cast(widget), view.widget)
        view = WaveformView(renderer: renderer, waveform: waveform, duration: duration)
        addView()
        view.setPosition(position, rate: rate)
    }

    private func addView() {
        gtk_widget_set_size_request(view.widget, -1, 64)
        gtk_box_pack_start(cast(widget), view.widget, 1, 1, 0)
        view.accessibleName = name
        view.onSeek = { [weak self] seconds in
            self?.player?.seek(to: seconds)
            self?.showTime()
        }
        view.onFailure = { [weak self] in self?.onMessage?("\(self?.name ?? ""): \($0.reason)") }
        gtk_widget_show(view.widget)
    }

    func focus() { gtk_widget_grab_focus(view.widget) }

    /// Resumes, or pauses.
    func toggle() {
        guard let player else { return }
        if player.isPlaying { player.pause() } else { player.play() }
        showState()
    }

    private func load(_ path: String) async {
        let gst: GStreamer
        do throws(EngineUnavailable) {
            gst = try await GStreamer.load()
            if Task.isCancelled { return }
            let player = try SoundPlayer(gst, path: path)
            self.player = player
            player.onChange = { [weak self] in self?.view.setPosition($0, rate: $1) }
            player.onEnd = { [weak self] in
                guard let self else { return }
                view.setPosition(view.duration, rate: 0)
                showState()
            }
            player.onFailure = { [weak self] reason in
                guard let self else { return }
                view.setPosition(view.position, rate: 0)
                showState()
                onMessage?("\(name) cannot be played: \(reason)")
            }
            // Continue at the position that the user clicked meanwhile.
            if view.position > 0 { player.seek(to: view.position) }
            player.play()
        } catch { onMessage?("\(error)") }
        showState()
    }

    private func showState() {
        let isPlaying = player?.isPlaying ?? false
        let icon = isPlaying ? "media-playback-pause-symbolic" : "media-playback-start-symbolic"
        gtk_button_set_image(cast(button), gtk_image_new_from_icon_name(icon, GTK_ICON_SIZE_BUTTON))
        gtk_widget_set_sensitive(button, player == nil ? 0 : 1)
        timer =
            isPlaying
            ? LoopTimer(seconds: 1, repeats: true, urgency: .frames) { [weak self] in
                self?.player?.refresh()
                self?.showTime()
            } : nil
        showTime()
    }

    private func showTime() {
        let text = "\(WaveformTime.text(view.position)) / \(WaveformTime.text(view.duration))"
        if String(cString: gtk_label_get_text(cast(time))) != text { gtk_label_set_text(cast(time), text) }
    }
}
