import CGTK
import COffstageGTK
import Foundation
import OffstageGLib

/// The user's input: clicks, drags, keys and the wheel.
extension WaveformView {
    /// The step of an arrow key, seconds.
    private static let step = 5.0
    /// The visible part after a step of the wheel, as a share of the previous one.
    private static let zoomStep = 0.8

    /// The time at a position, GTK px.
    func time(atX x: Double) -> Double {
        let scale = scale
        return scale.position(ofEdge: Int((x * Double(deviceScale)).rounded()))
    }

    /// Goes to a position that the user chose.
    func seek(_ seconds: Double) {
        let seconds = min(max(0, seconds), duration)
        clock.set(position: seconds, rate: clock.rate, at: now())
        update()
        if isThere { offstage_waveform_value_changed(widget, seconds) }
        onSeek?(seconds)
    }

    func pressed(button: Int, x: Double) -> Bool {
        guard button == 1, duration > 0 else { return false }
        gtk_widget_grab_focus(widget)
        isDragging = true
        seek(time(atX: x))
        return true
    }

    func moved(x: Double) {
        if isDragging { seek(time(atX: x)) } else { gtk_widget_trigger_tooltip_query(widget) }
    }

    func released(button: Int) -> Bool {
        defer { if button == 1 { isDragging = false } }
        return button == 1 && isDragging
    }

    /// Zooms around a position, which stays in place.
    ///
    /// - Parameters:
    ///   - steps: positive to zoom in.
    ///   - x: GTK px.
    func zoom(steps: Double, atX x: Double) {
        guard duration > 0, width > 0, steps != 0 else { return }
        let factor = pow(Self.zoomStep, steps)
        let center = visible.lowerBound + (visible.upperBound - visible.lowerBound) * x / Double(width)
        let length = min(max((visible.upperBound - visible.lowerBound) * factor, 0.01), duration)
        let from = min(max(0, center - length * x / Double(width)), duration - length)
        let before = visible
        visible = from..<from + length
        if visible != before { onZoom?(visible) }
    }

    func keyPressed(_ key: guint, _ modifiers: KeyModifiers) -> Bool {
        let jump = (visible.upperBound - visible.lowerBound) / 10
        switch Int32(key) {
        case GDK_KEY_Left, GDK_KEY_KP_Left, GDK_KEY_Down:
            seek(position - (modifiers.contains(.control) ? 1 : Self.step))
        case GDK_KEY_Right, GDK_KEY_KP_Right, GDK_KEY_Up:
            seek(position + (modifiers.contains(.control) ? 1 : Self.step))
        case GDK_KEY_Page_Down: seek(position - jump)
        case GDK_KEY_Page_Up: seek(position + jump)
        case GDK_KEY_Home, GDK_KEY_KP_Home: seek(0)
        case GDK_KEY_End, GDK_KEY_KP_End: seek(duration)
        case GDK_KEY_plus, GDK_KEY_KP_Add: zoom(steps: 2, atX: Double(edge) / Double(deviceScale))
        case GDK_KEY_minus, GDK_KEY_KP_Subtract: zoom(steps: -2, atX: Double(edge) / Double(deviceScale))
        case GDK_KEY_0, GDK_KEY_KP_0:
            visible = 0..<duration
            onZoom?(visible)
        default: return false
        }
        return true
    }

    func tooltip(x: Double) -> String? { duration > 0 ? WaveformTime.text(time(atX: x)) : nil }

    func connectAccessible() {
        // The widget copies the text.
        var slider = OffstageSlider(
            position: { data, text in
                onMainActor((data, text)) { data, text in
                    guard let view = receiver(data!, as: WaveformView.self) else { return 0 }
                    let words = "\(WaveformTime.text(view.position)) of \(WaveformTime.text(view.duration))"
                    if let text { text.pointee = g_strdup(words) }
                    return view.position
                }
            },
            duration: { data in onMainActor(data) { receiver($0!, as: WaveformView.self)?.duration ?? 0 } },
            seek: { data, seconds in
                onMainActor(data) {
                    if seconds.isFinite { receiver($0!, as: WaveformView.self)?.seek(seconds) }
                }
            })
        offstage_waveform_set_slider(widget, &slider, CallbackTarget.data(for: self), CallbackTarget.release)
    }
}

/// Formats times for people.
package enum WaveformTime {
    /// `1:05`, or `1:00:05`.
    package static func text(_ seconds: Double) -> String {
        let whole = Int(min(max(0, seconds), 1e9))
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let hours = whole / 3600
        return (hours > 0 ? "\(hours):\(two(whole / 60 % 60))" : "\(whole / 60)") + ":" + two(whole % 60)
    }
}
