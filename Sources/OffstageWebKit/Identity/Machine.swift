import CFontconfig
import Foundation
import Offstage
import OffstageVector

/// The properties of this machine that affect the pixels of every picture: the engine and the fonts. They are computed once per
/// process, in about ten milliseconds, without a display. A long-running program does not notice a font that is installed
/// later, and does not draw with it either.
enum Machine {
    static func add(to builder: inout Fingerprint.Builder, for medium: Medium) {
        builder.add("engine", engine)
        if medium != .pixels { builder.add("printing", printing) }
        builder.add("fonts", fonts)
    }

    /// Increase this with every change to Offstage that changes pixels or the bytes of files, such as a setting. Changes to
    /// the policy and to the scripts in this list are detected by their contents.
    private static let painting = 6
    static let scripts = [
        PackageResources.readiness_js, PackageResources.images_js, PackageResources.dom_js, PackageResources.still_js,
        PackageResources.media_js, PackageResources.refused_js, PackageResources.traces_js, PackageResources.text_js,
        PackageResources.visible_js, PackageResources.emulation_js, PackageResources.appearance_js,
        PackageResources.page_js, PackageResources.tiles_js,
    ]

    /// The libraries that lay out, shape and paint. They are identified by their files: a rebuilt library of the same version
    /// invalidates pictures too, and no library has to be loaded.
    private static let libraries = [
        SharedLibrary.webKit.rawValue, "libgtk-3.so.0", "libcairo.so.2", "libpixman-1.so.0", "libfreetype.so.6",
        "libharfbuzz.so.0",
    ]

    private static let engine: Digest = {
        var parts = ["painting \(painting)"] + libraries.map { stamp(SharedLibrary.path(of: $0)) }
        parts += scripts.map { Digest(of: Data($0)).description }
        parts += [true, false].map { ContentPolicy.securityPolicy(runsScripts: $0) } + [ContentPolicy.filterRules()]
        return Digest(of: parts.joined(separator: "\n"))
    }()

    /// The parts that turn WebKit's printed output into files. Increase its number like `painting`.
    private static let printing: Digest = {
        let libraries = ["libqpdf.so.29", SharedLibrary.harfBuzzSubset.rawValue]
        let parts = ["printing 2", Digest(of: Data(PackageResources.print_js)).description]
        let files = libraries.map(SharedLibrary.path(of:)) + [PDFToCairo.path ?? ""]
        return Digest(of: (parts + files.map { stamp($0) }).joined(separator: "\n"))
    }()

    /// Installing or removing a font changes its folder's time. fontconfig relies on that too.
    private static let fonts: Digest = {
        guard let configuration = FcInitLoadConfig() else { return Digest(of: "") }
        defer { FcConfigDestroy(configuration) }
        let folders = strings(FcConfigGetFontDirs(configuration)).flatMap(folders(below:))
        let files = strings(FcConfigGetConfigFiles(configuration)) + ["/usr/share/hyphen"]
        return Digest(of: (folders + files).map { "\($0) \(stamp($0))" }.joined(separator: "\n"))
    }()

    /// The folders in which fontconfig looks for fonts, without their subfolders.
    static func fontFolders() -> [String] {
        guard let configuration = FcInitLoadConfig() else { return [] }
        defer { FcConfigDestroy(configuration) }
        return strings(FcConfigGetFontDirs(configuration))
    }

    private static func strings(_ list: OpaquePointer?) -> [String] {
        guard let list else { return [] }
        defer { FcStrListDone(list) }
        var strings: [String] = []
        while let string = FcStrListNext(list) { strings.append(String(cString: string)) }
        return strings
    }

    /// The folder and all its subfolders, sorted.
    private static func folders(below folder: String) -> [String] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return [folder] }
        let inside = names.sorted().map { folder + "/" + $0 }.filter { path in
            var info = Foundation.stat()
            return lstat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
        }
        return [folder] + inside.flatMap(folders(below:))
    }

    /// The time of the last change and the size of a file or folder. A dash if it does not exist.
    private static func stamp(_ path: String) -> String {
        var info = Foundation.stat()
        guard stat(path, &info) == 0 else { return "-" }
        return "\(info.st_mtim.tv_sec).\(info.st_mtim.tv_nsec) \(info.st_size)"
    }
}
