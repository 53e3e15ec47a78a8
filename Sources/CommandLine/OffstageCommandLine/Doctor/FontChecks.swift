import OffstageWebKit

/// Checks that common scripts have fonts. A script without a font is drawn as boxes, which is only a remark. A missing
/// font for Latin letters is a failure, because hardly any picture would show its text.
enum FontChecks {
    @MainActor static func all() -> [Check] {
        FontScript.all.map { check($0, families: $0.families(), folder: PrivateFonts.folder) }
    }

    /// - Parameter folder: the folder of all fonts; nil for the machine's.
    static func check(_ script: FontScript, families: [String], folder: String? = nil) -> Check {
        let name = "font-\(script.name)"
        guard let first = families.first else {
            let remedy =
                folder.map { "put a font that supports it into \($0)" }
                ?? "install the Debian package \(script.package)"
            return script.name == "latin"
                ? .failure(name, "no font supports this script: text is drawn as boxes, or not at all", remedy: remedy)
                : .remark(name, "no font supports this script: characters appear as boxes", remedy: remedy)
        }
        return .ok(name, families.count == 1 ? first : "\(first) and \(families.count - 1) more")
    }
}
