import OffstageHTML
import OffstageRequests

extension PrivateFonts {
    /// Applies `--fonts FOLDER` to the whole run, because fontconfig accepts one configuration per process. Call it before
    /// anything draws, and `discard` at the end.
    @MainActor package static func apply(_ folder: String?) throws(UsageError) {
        guard let folder else {
            for name in PinnedEnvironment.fontSettings {
                Console.error(
                    "\(name) is ignored, so that pictures do not depend on it; choose fonts with --fonts FOLDER")
            }
            return
        }
        if folder.isEmpty { throw UsageError("--fonts needs the name of a folder") }
        do {
            try use(folder: folder)
        } catch {
            discard()
            throw UsageError("--fonts \(error)")
        }
    }
}
