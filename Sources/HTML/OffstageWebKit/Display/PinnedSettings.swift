import COffstageWebKit
import CWebKitGTK
import OffstageGLib

/// Fixed values for the GTK settings that affect pixels. WebKit passes them to its web processes.
///
/// WebKit gets its own settings object (`COffstageWebKit/host.c`). The settings of a program with windows do not change. The
/// program's own web views use this object too, so they look like pictures.
@MainActor
enum PinnedSettings {
    /// Renders text like Chromium on Linux: grey antialiasing, slight hinting, 96 dpi. Without a settings daemon, Xvfb uses
    /// medium hinting, which spaces letters unevenly. `Appearance` sets the values that belong to an emulation.
    static func apply() {
        let settings = offstage_web_settings()!
        offstage_stage_enter(nil)
        defer { offstage_stage_leave() }
        let numbers: [(String, Int32)] = [
            ("gtk-xft-antialias", 1), ("gtk-xft-hinting", 1), ("gtk-xft-dpi", 96 * 1024),
            ("gtk-cursor-blink-time", 1200),
        ]
        for (name, value) in numbers { setProperty(name, of: settings, to: value) }
        for name in ["gtk-overlay-scrolling", "gtk-cursor-blink", "gtk-primary-button-warps-slider"] {
            setProperty(name, of: settings, to: true)
        }
        for (name, value) in [
            ("gtk-xft-hintstyle", "hintslight"), ("gtk-xft-rgba", "none"),
            ("gtk-icon-theme-name", "Adwaita"), ("gtk-font-name", "Sans 10"),
        ] { setProperty(name, of: settings, to: value) }
        // WebKit reads these before the first drawing. For unset values, GTK would query a screen.
        Appearance(Emulation()).apply()
    }
}
