import Offstage
import OffstageGLib

/// The display that all engines of this process draw on.
@MainActor
public enum PrivateDisplay {
    /// Starts the display unless it is running, and returns its name, the value of `DISPLAY`. Engines call this
    /// themselves.
    public static func start() async throws(EngineUnavailable) -> String {
        MainLoop.attach()
        return try await VirtualDisplay.shared().name
    }

    /// Starts a separate display for windows of this process. Nothing else is shown on it. It ends with the process.
    ///
    /// - Returns: The values of `DISPLAY` and `XAUTHORITY`.
    package static func startAnother() async throws(EngineUnavailable) -> (name: String, authority: String) {
        MainLoop.attach()
        let display = try await VirtualDisplay.start()
        return (display.name, display.authorityPath)
    }
}
