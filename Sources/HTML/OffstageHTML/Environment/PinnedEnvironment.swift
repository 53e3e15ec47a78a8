import Foundation

/// An environment in which pictures do not depend on the machine's user.
///
/// GTK reads it once, so it must be set before GTK starts. `setenv` is not safe while other threads read the
/// environment: call `apply` first in `main`, before any thread starts. Do not use it in a GTK program with its own
/// windows, whose language and theme it would change. In such a program, only the processes that draw get this
/// environment.
///
/// In any program, WebKit's processes get only the variables of `forHelpers`: any other may contain a secret of the
/// program.
public enum PinnedEnvironment {
    /// The variables that are kept, in addition to those of `set` and `inherited`. All others are removed: libraries
    /// have hundreds of settings that change pixels, print messages among the results, or end the program.
    private static let kept: Set = [
        "HOME", "USER", "LOGNAME", "SHELL", "PWD", "TERM", "COLUMNS", "LINES", "NO_COLOR", "XDG_RUNTIME_DIR",
        // Certificates and host names.
        "SSL_CERT_FILE", "SSL_CERT_DIR", "HOSTALIASES", "LOCALDOMAIN", "RES_OPTIONS",
        // Variables of a service manager.
        "LISTEN_FDS", "LISTEN_FDNAMES", "LISTEN_PID", "NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC",
        "CREDENTIALS_DIRECTORY",
        "RUNTIME_DIRECTORY", "STATE_DIRECTORY", "CACHE_DIRECTORY", "INVOCATION_ID", "JOURNAL_STREAM",
    ]
    /// Prefixes of variables for the program itself, for libpq with its TLS and Kerberos libraries, and for sanitizers.
    private static let keptPrefixes = [
        "OFFSTAGE_", "PG", "OPENSSL_CONF", "KRB5", "LD_", "MALLOC_", "ASAN_", "LSAN_", "TSAN_", "UBSAN_",
    ]

    private static func isKept(_ name: String) -> Bool {
        kept.contains(name) || inherited.contains(name) || keptPrefixes.contains { name.hasPrefix($0) }
    }

    private static let set = [
        // Disables the desktop's session bus. Without this, an attempt to start one takes 30 ms to fail.
        "DBUS_SESSION_BUS_ADDRESS": "disabled:",
        "GDK_BACKEND": "x11",  // the private display is an X server
        "GSETTINGS_BACKEND": "memory",  // not the desktop's dconf
        "GTK_A11Y": "none",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "MESA_SHADER_CACHE_DISABLE": "true",  // no GL, and no message about a cache that cannot be written
        "NO_AT_BRIDGE": "1",  // no accessibility bus
        "TZ": "UTC",
        // The private display has no GL. WebKit would try it and print a message on standard error. WebKitGTK 2.54 no longer
        // reads the first variable before it tries.
        "WEBKIT_DISABLE_COMPOSITING_MODE": "1",
        "WEBKIT_DISABLE_DMABUF_RENDERER": "1",
        // fontconfig reads ~/.fonts.conf, and Xlib reads ~/.Xdefaults. This folder exists, as WebKit's sandbox requires, and
        // belongs to root.
        "HOME": "/usr",
        // A folder without the user's GTK settings.ini and fonts.conf. The system's fontconfig settings still apply.
        "XDG_CONFIG_HOME": "/nonexistent",
        "XDG_CONFIG_DIRS": "/nonexistent",
    ]

    /// The variables that WebKit's processes inherit from this one, in addition to those of `set`: the locations of
    /// programs, libraries, fonts and temporary files, and settings for debugging.
    private static let inherited = [
        "GLIBC_TUNABLES", "LD_DEBUG", "LD_DEBUG_OUTPUT", "LD_LIBRARY_PATH", "LD_PRELOAD", "MALLOC_ARENA_MAX",
        "MALLOC_PERTURB_", "PATH", "TMPDIR", "WEBKIT_DEBUG", "XDG_CACHE_HOME", "XDG_DATA_DIRS", "XDG_DATA_HOME",
        // `--suspend-signal` sets this variable.
        "JSC_SIGNAL_FOR_GC",
    ]

    /// HOME, or else the account's folder: a service manager or `env -i` may not set it.
    private static var home: String {
        if let set = getenv("HOME").map({ String(cString: $0) }), set.hasPrefix("/") { return set }
        guard let account = getpwuid(geteuid())?.pointee.pw_dir else { return "/nonexistent" }
        return String(cString: account)
    }

    /// GStreamer has no plugins, and so no decoders. WebKitGTK 2.52 passes an `<img>` with a video type to it even if
    /// that feature is disabled.
    private static let withoutPlugins = [
        "GST_PLUGIN_PATH_1_0": "", "GST_PLUGIN_SYSTEM_PATH_1_0": "", "GST_REGISTRY": "/nonexistent/registry",
    ]

    /// All variables of WebKit's processes: alternating names and values.
    ///
    /// - Parameter display: The value of `DISPLAY`.
    package static func forHelpers(on display: String) -> [String] {
        let own = ProcessInfo.processInfo.environment
        let home = home
        var all = own.filter { inherited.contains($0.key) }
        if all["XDG_DATA_HOME"] == nil { all["XDG_DATA_HOME"] = home + "/.local/share" }
        if all["XDG_CACHE_HOME"] == nil { all["XDG_CACHE_HOME"] = home + "/.cache" }
        all.merge(set) { $1 }
        all.merge(EmptyEGL.forHelpers()) { $1 }
        all.merge(withoutPlugins) { $1 }
        // Set by `PrivateFonts`. Without private fonts, it is the user's value.
        if PrivateFonts.folder != nil { all["FONTCONFIG_FILE"] = own["FONTCONFIG_FILE"] }
        all["DISPLAY"] = display
        return all.flatMap { [$0.key, $0.value] }
    }

    // Both are set on the main thread before other threads start.
    nonisolated(unsafe) package private(set) static var isApplied = false

    /// Names of the font settings that `apply` found in the environment and removed. They have no effect.
    nonisolated(unsafe) public static private(set) var fontSettings: [String] = []

    public static func apply() {
        isApplied = true
        fontSettings = ["FONTCONFIG_FILE", "FONTCONFIG_PATH", "FONTCONFIG_SYSROOT"].filter { getenv($0) != nil }
        // The user's installed fonts and their cache are not settings, so they stay available.
        let home = home
        setenv("XDG_DATA_HOME", home + "/.local/share", 0)
        setenv("XDG_CACHE_HOME", home + "/.cache", 0)
        for name in ProcessInfo.processInfo.environment.keys where !isKept(name) { unsetenv(name) }
        for (name, value) in set { setenv(name, value, 1) }
        EmptyEGL.apply()
        // GTK makes the same call when it starts, which then has no effect.
        setlocale(LC_ALL, "C.UTF-8")
    }
}
