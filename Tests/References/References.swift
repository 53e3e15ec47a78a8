import Foundation

/// Recorded pictures, which are PNG files in a folder. Those of Debian 12 are in the folder itself. Another release
/// draws some of them with different pixels, because its WebKitGTK, FreeType or GTK is newer. Those are in a
/// subfolder, such as `debian-13`.
public struct References {
    private let folder: String

    public init(folder: String) { self.folder = folder }

    private static let first = "debian-12"

    /// The folder of this release, such as `debian-13`. If the system has no release number, as in Debian testing, the
    /// folder of the first release.
    private static let release: String = {
        let lines = ((try? String(contentsOfFile: "/etc/os-release", encoding: .utf8)) ?? "").split(separator: "\n")
        let values = ["ID=", "VERSION_ID="].compactMap { name in
            lines.first { $0.hasPrefix(name) }.map { $0.dropFirst(name.count).filter { $0 != "\"" && $0 != "/" } }
        }
        return values.count == 2 ? values.joined(separator: "-") : first
    }()

    /// True on the release on which the project's other pictures, such as those in the guides, were made.
    public static var isOfFirstRelease: Bool { release == first }

    private var own: String { Self.isOfFirstRelease ? folder : "\(folder)/\(Self.release)" }

    /// The picture to compare with. The file may not exist.
    public func path(_ name: String) -> String {
        let path = "\(own)/\(name).png"
        return FileManager.default.fileExists(atPath: path) ? path : "\(folder)/\(name).png"
    }

    /// The file for a picture that differs from the one at `path`.
    public func newPath(_ name: String) throws -> String {
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
        return "\(own)/\(name).png"
    }

    /// The names of all recorded pictures of all releases.
    public func names() -> Set<String> {
        let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return Set(
            files.filter { $0.hasSuffix(".png") }.map {
                (($0 as NSString).lastPathComponent as NSString).deletingPathExtension
            })
    }
}
