import COffstageWebKit
import CWebKitGTK
import OffstageGLib

/// GTK's settings that reach pixels, set to fixed values: WebKit hands them to its web processes.
///
/// They are an object of WebKit's own (`COffstageWebKit/host.c`): those of a program with windows stay as its user has them, and
/// a view of the program's own goes by these too, so that it shows what a picture does.
@MainActor
enum PinnedSettings {
    /// Text like Chromium's on Linux: grey antialiasing, slight hinting, 96 dots an inch. Xvfb without a settings daemon
    /// gives medium hinting, which spaces letters unevenly. What belongs to an emulation, `Appearance` sets.
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
        // WebKit asks before the first drawing, and for what is not set GTK asks a screen.
        Appearance(Emulation()).apply()
    }
}
