import Foundation

/// The environment in which pictures do not depend on whose machine they are drawn on.
///
/// WebKit's helper processes inherit it and GTK reads it once, so it is set before either starts. `setenv` is not safe
/// while other threads read the environment: call `apply` first thing in `main`, before threads. Not for a GTK program with
/// windows of its own, whose language and theme it would change as well: there the processes that draw get it, and they alone.
public enum PinnedEnvironment {
    /// What a desktop session or a shell sets that reaches pixels: themes, scales, toolkits, modules, user settings.
    private static let removed = [
        "CLUTTER_IM_MODULE", "DISPLAY", "FC_DEBUG", "FC_LANG", "FONTCONFIG_FILE",
        "FONTCONFIG_PATH", "FONTCONFIG_SYSROOT", "FREETYPE_PROPERTIES", "GDK_BACKEND", "GDK_DEBUG", "GDK_DPI_SCALE",
        "GDK_SCALE", "GDK_SYNCHRONIZE", "GTK2_RC_FILES", "GTK_CSD", "GTK_DATA_PREFIX", "GTK_DEBUG", "GTK_IM_MODULE",
        "GTK_MODULES", "GTK_OVERLAY_SCROLLING", "GTK_PATH", "GTK_RTL", "GTK_THEME", "LANGUAGE", "PANGOCAIRO_BACKEND",
        "PANGO_LANGUAGE", "WAYLAND_DISPLAY", "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS", "XAUTHORITY", "XENVIRONMENT",
        // GLib's debugging messages would stand among the results on standard output, and its warnings end the program.
        "G_DEBUG", "G_MESSAGES_DEBUG",
    ]

    private static let set = [
        // Not the desktop's session bus, and no attempt to start one, which takes 30 ms to fail.
        "DBUS_SESSION_BUS_ADDRESS": "disabled:",
        "GDK_BACKEND": "x11",  // the private display is an X server
        "GSETTINGS_BACKEND": "memory",  // not the desktop's dconf
        "GTK_A11Y": "none",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "MESA_SHADER_CACHE_DISABLE": "true",  // no GL, and no word about a cache that cannot be written
        "NO_AT_BRIDGE": "1",  // no accessibility bus
        "TZ": "UTC",
        // There is no GL on the private display; WebKit need not try, nor say so on standard error.
        "WEBKIT_DISABLE_COMPOSITING_MODE": "1",
        // fontconfig reads ~/.fonts.conf, Xlib ~/.Xdefaults. A folder that is there, as WebKit's sandbox wants one, and root's.
        "HOME": "/usr",
        // Holds no settings.ini of GTK and no fonts.conf of the user's; the system's fontconfig stays.
        "XDG_CONFIG_HOME": "/nonexistent",
        "XDG_CONFIG_DIRS": "/nonexistent",
    ]

    /// The same for the processes that draw, in a program whose own environment stays as it is: names and values by turns,
    /// with an empty value for what is removed.
    ///
    /// - Parameter display: as in `DISPLAY`.
    static func forHelpers(on display: String) -> [String] {
        let own = ProcessInfo.processInfo.environment
        let home = own["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/nonexistent"
        var all = Dictionary(uniqueKeysWithValues: removed.map { ($0, "") })
        all.merge(set) { $1 }
        all.merge(EmptyEGL.forHelpers()) { $1 }
        all["DISPLAY"] = display
        if own["XDG_DATA_HOME"] == nil { all["XDG_DATA_HOME"] = home + "/.local/share" }
        if own["XDG_CACHE_HOME"] == nil { all["XDG_CACHE_HOME"] = home + "/.cache" }
        return all.flatMap { [$0.key, $0.value] }
    }

    // Both are set on the main thread, before there are others.
    nonisolated(unsafe) static private(set) var isApplied = false

    /// What `apply` found of the settings that choose other fonts, by name; nothing heeds them.
    nonisolated(unsafe) public static private(set) var fontSettings: [String] = []

    public static func apply() {
        isApplied = true
        fontSettings = ["FONTCONFIG_FILE", "FONTCONFIG_PATH", "FONTCONFIG_SYSROOT"].filter { getenv($0) != nil }
        // What is no setting stays: the fonts a user installed, and the cache that knows them.
        let home = getenv("HOME").map { String(cString: $0) } ?? ""
        setenv("XDG_DATA_HOME", (home.hasPrefix("/") ? home : "/nonexistent") + "/.local/share", 0)
        setenv("XDG_CACHE_HOME", (home.hasPrefix("/") ? home : "/nonexistent") + "/.cache", 0)
        for name in removed { unsetenv(name) }
        for (name, value) in set { setenv(name, value, 1) }
        EmptyEGL.apply()
        // GTK's own call, at its start, then finds the same.
        setlocale(LC_ALL, "C.UTF-8")
    }
}
