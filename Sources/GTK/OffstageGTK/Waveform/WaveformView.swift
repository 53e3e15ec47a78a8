import CGTK
import COffstageGTK
import Foundation
import Offstage
import OffstageGLib
import OffstageSound

/// A GTK widget that shows the waveform of a sound, and how much of it has been played.
///
/// It paints two pictures from the renderer, the played and the unplayed waveform, side by side. While the sound plays,
/// a timer fires when the edge between them moves by a device px, and only that strip is painted. Nothing is painted,
/// and no timer runs, while the sound is paused, or the widget is hidden or covered.
///
/// The host plays the sound. It reports each change of the position or the rate with `setPosition(_:rate:)`, and need
/// not repeat it while the sound plays.
///
///     let view = WaveformView(renderer: renderer, waveform: Waveform(identifier: "song", sound: sound))
///     view.onSeek = { seconds in player.seek(to: seconds) }
///     gtk_container_add(window, view.widget)
///
/// Keep a reference to the view as long as its widget is shown: the widget is removed with the view.
@MainActor
public final class WaveformView {
    /// The widget to put into a window: a `GtkDrawingArea`. Its container determines its size.
    public let widget: UnsafeMutablePointer<GtkWidget>
    public let renderer: Renderer
    /// The request whose size, scale, visible part and played share the view replaces.
    public let waveform: Waveform

    /// Called when the user chooses a position: with a click, a drag, a key, or a screen reader. The view shows it already.
    public var onSeek: ((_ seconds: Double) -> Void)?
    /// Called when the user changes the visible part with the wheel or a key.
    public var onZoom: ((_ visible: Range<Double>) -> Void)?
    /// Called each time the pictures cannot be drawn. The view then shows the old ones, or nothing.
    public var onFailure: ((RenderError) -> Void)?

    /// The name of the view for screen readers, such as the title of the sound. Default "Waveform".
    public var accessibleName = "Waveform" {
        didSet { if isThere { offstage_waveform_set_name(widget, accessibleName) } }
    }

    /// The length of the sound, in seconds. Known once the first pictures are ready, unless the host sets it earlier.
    public var duration: Double {
        get { clock.duration }
        set {
            clock.set(duration: newValue, at: now())
            if isWhole { visible = 0..<clock.duration }
            update()
        }
    }

    /// The position, in seconds from the beginning of the sound.
    public var position: Double { clock.position(at: now()) }
    /// The speed, in seconds of the sound per second; 0 while it is paused.
    public var rate: Double { clock.rate }

    /// The visible part, seconds; the whole sound by default. At least a hundredth of a second.
    public var visible: Range<Double> = 0..<0 {
        didSet {
            let length = min(max(visible.upperBound - visible.lowerBound, 0.01), max(duration, 0.01))
            let from = min(max(0, visible.lowerBound), max(0, duration - length))
            visible = from..<from + length
            if visible != oldValue {
                isWhole = visible.lowerBound <= 0 && visible.upperBound >= duration
                pictures.request()
                redraw()
            }
        }
    }

    // MARK: State

    var clock: WaveformClock
    /// The clock, seconds. Tests set their own.
    var now: () -> Double = { Double(g_get_monotonic_time()) / 1e6 }
    /// The device px that are painted as played.
    private(set) var edge = 0
    /// How often the widget was painted, for tests and measurements.
    package private(set) var draws = 0
    var isDragging = false
    private(set) var isThere = true
    private var isWhole = true
    private var isMapped = false
    private var isCovered = false
    private var timer: LoopTimer?
    let handlers = SignalHandlers()
    private(set) lazy var pictures = WaveformPictures(view: self)

    /// Makes a view.
    ///
    /// - Parameters:
    ///   - renderer: draws the pictures with its `SoundEngine`, and caches them according to its configuration.
    ///   - waveform: the sound and the style.
    ///   - duration: the length of the sound, in seconds; 0, the default, if it is not known yet.
    public init(renderer: Renderer, waveform: Waveform, duration: Double = 0) {
        self.renderer = renderer
        self.waveform = waveform
        clock = WaveformClock(duration: duration)
        widget = g_object_ref_sink(offstage_waveform_new()).assumingMemoryBound(to: GtkWidget.self)
        visible = 0..<clock.duration
        offstage_waveform_set_name(widget, accessibleName)
        connect()
        connectAccessible()
        gtk_widget_show(widget)
    }

    isolated deinit {
        timer = nil
        handlers.disconnect()
        if isThere {
            offstage_waveform_set_slider(widget, nil, nil, nil)
            gtk_widget_destroy(widget)
        }
        g_object_unref(widget)
    }

    /// Tells the view the position of the sound. The view shows a jump in the next frame, and then continues by itself.
    ///
    /// - Parameters:
    ///   - seconds: the position, from the beginning of the sound.
    ///   - rate: seconds of the sound per second; 0 for a paused one.
    public func setPosition(_ seconds: Double, rate: Double) {
        let jumps = abs(seconds - position) > 0.5
        clock.set(position: seconds, rate: rate, at: now())
        update()
        if jumps, isThere { offstage_waveform_value_changed(widget, position) }
    }

    // MARK: Time

    var width: Int { Int(gtk_widget_get_allocated_width(widget)) }
    var height: Int { Int(gtk_widget_get_allocated_height(widget)) }
    var deviceScale: Int { max(1, Int(gtk_widget_get_scale_factor(widget))) }

    /// The visible part on the widget.
    var scale: WaveformScale {
        WaveformScale(from: visible.lowerBound, to: visible.upperBound, width: width * deviceScale)
    }

    /// Moves the edge to the position, and sets the timer for its next movement.
    func update() {
        guard isThere else { return }
        let new = scale.edge(at: position)
        if new != edge {
            let strip = min(edge, new)..<max(edge, new)
            edge = new
            let left = strip.lowerBound / deviceScale
            let right = (strip.upperBound + deviceScale - 1) / deviceScale
            if isVisible { gtk_widget_queue_draw_area(widget, Int32(left), 0, Int32(right - left), Int32(height)) }
        }
        timer = nil
        guard isVisible, clock.rate != 0, pictures.arePresent,
            let delay = clock.delay(until: scale.change(after: edge, rate: clock.rate), at: now())
        else { return }
        // Milliseconds, rounded up: an early timer would find nothing to do.
        timer = LoopTimer(seconds: (delay * 1000).rounded(.up) / 1000, urgency: .frames) { [weak self] in
            self?.timer = nil
            self?.update()
        }
    }

    /// True while a timer waits for the next movement of the edge.
    var isTimerSet: Bool { timer != nil }

    private var isVisible: Bool { isMapped && !isCovered }

    /// Paints everything again, if it can be seen.
    func redraw() {
        guard isThere else { return }
        edge = scale.edge(at: position)
        gtk_widget_queue_draw(widget)
        update()
    }

    // MARK: Signals

    func visibilityChanged(isMapped: Bool? = nil, isCovered: Bool? = nil) {
        self.isMapped = isMapped ?? self.isMapped
        self.isCovered = isCovered ?? self.isCovered
        if isVisible { redraw() } else { timer = nil }
    }

    func sizeChanged() {
        pictures.request()
        redraw()
    }

    func durationFound(_ seconds: Double) { if clock.duration == 0 { duration = seconds } }

    func draw(_ context: OpaquePointer) {
        draws += 1
        pictures.paint(context, edge: edge, scale: scale, deviceScale: deviceScale, height: height)
    }

    func noteDestroyed() {
        if !isThere { return }
        isThere = false
        timer = nil
        handlers.disconnect()
        pictures.cancel()
    }
}
