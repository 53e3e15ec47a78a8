import CGTK
import Foundation
import Offstage
import OffstageWebKit

/// The program's own window, and its user's settings.
@MainActor
final class Host {
    static let renderer = Renderer(engine: WebEngine(views: 2))

    private let window = gtk_window_new(GTK_WINDOW_TOPLEVEL)!
    private let label = gtk_label_new("The host's own text")!

    init() {
        gtk_container_add(cast(window), label)
        gtk_widget_show_all(window)
    }

    private func cast<From, To>(_ pointer: UnsafeMutablePointer<From>) -> UnsafeMutablePointer<To> {
        UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: To.self)
    }

    /// Everything that an engine could have changed, as text.
    var state: [String: String] {
        var state = ProcessInfo.processInfo.environment
        state["locale"] = String(cString: setlocale(LC_ALL, nil))
        state["default display"] = String(cString: gdk_display_get_name(gdk_display_get_default()))
        state["scale"] = "\(gtk_widget_get_scale_factor(window))"
        state["resolution"] = "\(gdk_screen_get_resolution(gdk_screen_get_default()))"
        var color = GdkRGBA()
        let style = gtk_widget_get_style_context(label)
        gtk_style_context_get_color(style, gtk_style_context_get_state(style), &color)
        state["text colour"] = "\(color)"
        gtk_style_context_lookup_color(style, "theme_selected_bg_color", &color)
        state["theme's accent"] = "\(color)"
        let (minimum, natural) = sizes
        state["text's size"] = "\(minimum) \(natural)"
        let settings = gtk_settings_get_default()!
        for name in settingNames { state[name] = value(of: name, settings) }
        return state
    }

    private var sizes: (gint, gint) {
        var (minimum, natural): (gint, gint) = (0, 0)
        gtk_widget_get_preferred_width(label, &minimum, &natural)
        return (minimum, natural)
    }

    private var settingNames: [String] {
        var count: guint = 0
        let type = gtk_settings_get_type()
        let object = g_type_class_ref(type)!
        let list = g_object_class_list_properties(object.assumingMemoryBound(to: GObjectClass.self), &count)!
        defer { g_free(list) }
        return (0..<Int(count)).map { String(cString: list[$0]!.pointee.name) }.filter { $0 != "color-hash" }
    }

    private func value(of name: String, _ settings: UnsafeMutablePointer<GtkSettings>) -> String {
        var box = GValue()
        g_object_get_property(cast(settings), name, &box)
        defer { g_value_unset(&box) }
        let text = g_strdup_value_contents(&box)!
        defer { g_free(text) }
        return String(cString: text)
    }

    /// The private X servers that this program started.
    var displayServers: Set<pid_t> {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        let children = threads.flatMap { thread in
            let list = (try? String(contentsOfFile: "/proc/self/task/\(thread)/children", encoding: .utf8)) ?? ""
            return list.split(separator: " ").compactMap { pid_t($0) }
        }
        return Set(
            children.filter {
                (try? String(contentsOfFile: "/proc/\($0)/comm", encoding: .utf8))?.hasPrefix("Xvfb") ?? false
            })
    }
}

/// Measures the longest time for which the loop was blocked, with a source that is due each millisecond.
@MainActor
final class Ticks {
    var isStarting = true
    private var last = ContinuousClock.now
    private var start = 0.0
    private var later = 0.0

    var longest: String { String(format: "%.1f at the start, %.1f later", start, later) }

    init() {
        g_timeout_add_full(
            G_PRIORITY_HIGH, 1,
            { data in
                MainActor.assumeIsolated { Unmanaged<Ticks>.fromOpaque(data!).takeUnretainedValue().tick() }
                return 1
            }, Unmanaged.passUnretained(self).toOpaque(), nil)
    }

    private func tick() {
        let now = ContinuousClock.now
        let time = last.duration(to: now) / .milliseconds(1)
        last = now
        if isStarting { start = max(start, time) } else { later = max(later, time) }
    }
}
