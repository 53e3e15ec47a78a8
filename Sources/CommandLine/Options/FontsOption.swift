import OffstageRequests
import OffstageWebKit

/// `--fonts FOLDER`, for all commands that draw or look for fonts. It applies to the whole run, because fontconfig
/// accepts one configuration per process.
@MainActor
enum FontsOption {
    static let option = OptionTable.Option(
        "fonts", value: "FOLDER", help: "Use the fonts in FOLDER and none of the machine's")

    /// Call it before anything draws, and `PrivateFonts.discard` at the end.
    static func apply(_ folder: String?) throws(UsageError) {
        guard let folder else {
            for name in PinnedEnvironment.fontSettings {
                Console.error(
                    "\(name) is ignored, so that pictures do not depend on it; choose fonts with --fonts FOLDER")
            }
            return
        }
        if folder.isEmpty { throw UsageError("--fonts needs the name of a folder") }
        do {
            try PrivateFonts.use(folder: folder)
        } catch {
            PrivateFonts.discard()
            throw UsageError("--fonts \(error)")
        }
    }
}
