import OffstageWebKit

/// Whether the scripts that snippets are written in have a font. Without one a picture shows boxes: a remark.
enum FontChecks {
    static func all() -> [Check] { FontScript.all.map { check($0, families: $0.families()) } }

    static func check(_ script: FontScript, families: [String]) -> Check {
        let name = "font-\(script.name)"
        guard let first = families.first else {
            return .remark(
                name, "no font has it: boxes stand in its place",
                remedy: "install the Debian package \(script.package)")
        }
        return .ok(name, families.count == 1 ? first : "\(first) and \(families.count - 1) more")
    }
}
