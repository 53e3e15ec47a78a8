import CFontconfig
import Foundation
import Offstage
import OffstageVector

/// What of this machine decides the pixels of every picture: the engine and the fonts. Found out once a process, in some ten
/// milliseconds, without a display; a program that runs for long does not see a font that is installed meanwhile, and draws
/// without it as well.
enum Machine {
    static func add(to builder: inout Fingerprint.Builder, for medium: Medium) {
        builder.add("engine", engine)
        if medium != .pixels { builder.add("printing", printing) }
        builder.add("fonts", fonts)
    }

    /// To be raised with any change of ours that changes pixels: a setting, the way of painting. Our scripts and the policy
    /// speak for themselves.
    private static let painting = 2
    private static let scripts = [
        PackageResources.readiness_js, PackageResources.emulation_js, PackageResources.page_js,
        PackageResources.tiles_js,
    ]

    /// What lays out, shapes and paints. By their files: a library that is replaced by a build of the same version paints anew,
    /// too, and none has to be loaded to know it.
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

    /// What makes files of what WebKit prints; raised as `painting` is.
    private static let printing: Digest = {
        let libraries = ["libqpdf.so.29", SharedLibrary.harfBuzzSubset.rawValue]
        let parts = ["printing 2", Digest(of: Data(PackageResources.print_js)).description]
        let files = libraries.map(SharedLibrary.path(of:)) + [PDFToCairo.path ?? ""]
        return Digest(of: (parts + files.map { stamp($0) }).joined(separator: "\n"))
    }()

    /// Installing or removing a font changes its folder; fontconfig itself goes by that.
    private static let fonts: Digest = {
        guard let configuration = FcInitLoadConfig() else { return Digest(of: "") }
        defer { FcConfigDestroy(configuration) }
        let folders = strings(FcConfigGetFontDirs(configuration)).flatMap(folders(below:))
        let files = strings(FcConfigGetConfigFiles(configuration)) + ["/usr/share/hyphen"]
        return Digest(of: (folders + files).map { "\($0) \(stamp($0))" }.joined(separator: "\n"))
    }()

    /// Where fontconfig looks for fonts; folders in them are not named.
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

    /// The folder and those in it, in order.
    private static func folders(below folder: String) -> [String] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return [folder] }
        let inside = names.sorted().map { folder + "/" + $0 }.filter { path in
            var info = Foundation.stat()
            return lstat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
        }
        return [folder] + inside.flatMap(folders(below:))
    }

    /// Of a file or a folder: when it was changed, and its size; a dash for one that is not there.
    private static func stamp(_ path: String) -> String {
        var info = Foundation.stat()
        guard stat(path, &info) == 0 else { return "-" }
        return "\(info.st_mtim.tv_sec).\(info.st_mtim.tv_nsec) \(info.st_size)"
    }
}
