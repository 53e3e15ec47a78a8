import Foundation

/// Recorded pictures, PNG files in a folder. Debian 12's are in the folder itself. Another release draws some of them with other
/// pixels, because WebKitGTK, FreeType or GTK are newer: those are in a folder of its own below, such as `debian-13`.
public struct References {
    private let folder: String

    public init(folder: String) { self.folder = folder }

    private static let first = "debian-12"

    /// Such as `debian-13`. The first release's where the system has no number, as Debian's testing.
    private static let release: String = {
        let lines = ((try? String(contentsOfFile: "/etc/os-release", encoding: .utf8)) ?? "").split(separator: "\n")
        let values = ["ID=", "VERSION_ID="].compactMap { name in
            lines.first { $0.hasPrefix(name) }.map { $0.dropFirst(name.count).filter { $0 != "\"" && $0 != "/" } }
        }
        return values.count == 2 ? values.joined(separator: "-") : first
    }()

    /// True on the release with which the project's other pictures, such as the guides', were made.
    public static var isOfFirstRelease: Bool { release == first }

    private var own: String { Self.isOfFirstRelease ? folder : "\(folder)/\(Self.release)" }

    /// The picture to compare with. The file may not exist.
    public func path(_ name: String) -> String {
        let path = "\(own)/\(name).png"
        return FileManager.default.fileExists(atPath: path) ? path : "\(folder)/\(name).png"
    }

    /// The file for a picture that differs from the one of `path`.
    public func newPath(_ name: String) throws -> String {
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
        return "\(own)/\(name).png"
    }

    /// The names of all recorded pictures, of all releases.
    public func names() -> Set<String> {
        let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return Set(
            files.filter { $0.hasSuffix(".png") }.map {
                (($0 as NSString).lastPathComponent as NSString).deletingPathExtension
            })
    }
}
