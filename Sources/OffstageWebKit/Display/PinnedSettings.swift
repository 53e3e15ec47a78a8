import CWebKitGTK

/// GTK's settings that reach pixels, set to fixed values: WebKit hands them to its web processes.
@MainActor
enum PinnedSettings {
    /// Text like Chromium's on Linux: grey antialiasing, slight hinting, 96 dots an inch. Xvfb without a settings daemon
    /// gives medium hinting, which spaces letters unevenly. What belongs to an emulation, `Appearance` sets.
    static func apply() {
        guard let settings = gtk_settings_get_default() else { return }
        let numbers: [(String, Int32)] = [("gtk-xft-antialias", 1), ("gtk-xft-hinting", 1), ("gtk-xft-dpi", 96 * 1024)]
        for (name, value) in numbers { setProperty(name, of: settings, to: value) }
        setProperty("gtk-overlay-scrolling", of: settings, to: true)
        for (name, value) in [
            ("gtk-xft-hintstyle", "hintslight"), ("gtk-xft-rgba", "none"),
            ("gtk-icon-theme-name", "Adwaita"), ("gtk-font-name", "Sans 10"),
        ] { setProperty(name, of: settings, to: value) }
    }
}
