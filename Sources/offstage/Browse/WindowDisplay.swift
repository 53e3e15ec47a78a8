import CWebKitGTK
import Offstage
import OffstageWebKit

/// The display that windows are shown on: not the engine's, on which nothing is ever shown.
@MainActor
enum WindowDisplay {
    /// That of the user's desktop.
    static func useDesktops() throws(EngineUnavailable) {
        try open(orElse: EngineUnavailable(problem: "there is no display to show a window on", remedy: "set DISPLAY"))
    }

    /// One in memory, which ends with this process, whatever the user's settings say.
    static func startOwn() async throws(EngineUnavailable) {
        let server = try await PrivateDisplay.startAnother()
        setenv("DISPLAY", server.name, 1)
        setenv("XAUTHORITY", server.authority, 1)
        for name in ["WAYLAND_DISPLAY", "GDK_SCALE", "GDK_DPI_SCALE", "GTK_THEME"] { unsetenv(name) }
        setenv("GDK_BACKEND", "x11", 1)
        try open(
            orElse: EngineUnavailable(problem: "no window can be shown on \(server.name)", remedy: "run it again"))
    }

    private static func open(orElse error: EngineUnavailable) throws(EngineUnavailable) {
        if gtk_init_check(nil, nil) == 0 { throw error }
    }
}
