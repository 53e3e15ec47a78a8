import CGTK
import Offstage
import OffstageWebKit

/// The display for windows. It is not the engine's display, which shows nothing.
@MainActor
enum WindowDisplay {
    /// Uses the display of the user's desktop.
    static func useDesktops() throws(EngineUnavailable) {
        try open(orElse: EngineUnavailable(problem: "no display is available for a window", remedy: "set DISPLAY"))
    }

    /// Starts a display in memory, which ends with this process and does not depend on the user's settings.
    static func startOwn() async throws(EngineUnavailable) {
        let server = try await PrivateDisplay.startAnother()
        setenv("DISPLAY", server.name, 1)
        setenv("XAUTHORITY", server.authority, 1)
        for name in ["WAYLAND_DISPLAY", "GDK_SCALE", "GDK_DPI_SCALE", "GTK_THEME"] { unsetenv(name) }
        setenv("GDK_BACKEND", "x11", 1)
        try open(
            orElse: EngineUnavailable(
                problem: "no window can be shown on \(server.name)", remedy: "run the command again"))
    }

    private static func open(orElse error: EngineUnavailable) throws(EngineUnavailable) {
        if gtk_init_check(nil, nil) == 0 { throw error }
    }
}
