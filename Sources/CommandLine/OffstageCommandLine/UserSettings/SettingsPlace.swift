import Foundation

/// The location of the user's settings. It must be found before `PinnedEnvironment` replaces the user's folders.
@MainActor
enum SettingsPlace {
    /// The variable that names another file; empty for no settings at all.
    nonisolated static let variable = "OFFSTAGE_CONFIG"

    /// True if no settings apply, neither from a file nor from variables.
    private(set) static var isOff = false
    private(set) static var file = ""
    /// True if the user has named the file, so that it must exist.
    private(set) static var isNamed = false
    /// For `~` in paths.
    private(set) static var home = "/nonexistent"

    static func find(in environment: [String: String] = ProcessInfo.processInfo.environment) {
        // A service manager or `env -i` may set no HOME.
        let account = getpwuid(geteuid())?.pointee.pw_dir.map { String(cString: $0) }
        home = absolute(environment["HOME"]) ?? account ?? home
        if let named = environment[variable] {
            (isOff, isNamed, file) = (named.isEmpty, true, named)
        } else {
            file = (absolute(environment["XDG_CONFIG_HOME"]) ?? home + "/.config") + "/offstage/offstage.conf"
        }
    }

    private static func absolute(_ path: String?) -> String? { path.flatMap { $0.hasPrefix("/") ? $0 : nil } }
}
