import Offstage

/// The display that every engine of this process draws on.
@MainActor
public enum PrivateDisplay {
    /// Starts it, unless it has started; engines do so themselves. Returns its name, as in `DISPLAY`.
    public static func start() async throws(EngineUnavailable) -> String {
        MainLoop.attach()
        return try await VirtualDisplay.shared().name
    }
}
