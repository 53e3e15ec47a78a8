import Offstage
import OffstageGLib

/// The display that every engine of this process draws on.
@MainActor
public enum PrivateDisplay {
    /// Starts it, unless it has started; engines do so themselves. Returns its name, as in `DISPLAY`.
    public static func start() async throws(EngineUnavailable) -> String {
        MainLoop.attach()
        return try await VirtualDisplay.shared().name
    }

    /// Another one, for windows of this process: nothing is drawn on it but these. It ends with the process.
    ///
    /// - Returns: what belongs into `DISPLAY` and `XAUTHORITY`.
    package static func startAnother() async throws(EngineUnavailable) -> (name: String, authority: String) {
        MainLoop.attach()
        let display = try await VirtualDisplay.start()
        return (display.name, display.authorityPath)
    }
}
