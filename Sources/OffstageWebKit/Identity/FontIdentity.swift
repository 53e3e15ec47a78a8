import CFontconfig
import Foundation
import Offstage

/// Identifies the fonts that fontconfig finds on this machine, and its configuration, by their contents. The order counts:
/// fontconfig prefers the first of equal fonts.
enum FontIdentity {
    /// Reads the beginning of each font: about 10 ms for 400 fonts.
    static var digest: Digest {
        guard let configuration = FcInitLoadConfig() else { return Digest(of: "") }
        defer { FcConfigDestroy(configuration) }
        var builder = Fingerprint.Builder()
        for folder in strings(FcConfigGetFontDirs(configuration)) { addFonts(in: folder, at: "", to: &builder) }
        for file in strings(FcConfigGetConfigFiles(configuration)) { builder.add("configuration", settings(in: file)) }
        return builder.build().digest
    }

    /// The folders in which fontconfig looks for fonts, without their subfolders.
    static func folders() -> [String] {
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

    /// - Parameter place: the folder's path below fontconfig's folder, which may be elsewhere on another machine.
    private static func addFonts(in folder: String, at place: String, to builder: inout Fingerprint.Builder) {
        for name in names(in: folder) where !name.hasPrefix(".") && !isOther(name) {
            let path = folder + "/" + name
            var info = Foundation.stat()
            guard lstat(path, &info) == 0 else { continue }
            if info.st_mode & S_IFMT == S_IFDIR {
                addFonts(in: path, at: place + name + "/", to: &builder)
            } else if let digest = FileIdentity.digest(ofFont: path) {
                builder.add(place + name, digest)
            }
        }
    }

    private static func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Metrics for TeX and lists for X servers, which are beside fonts and which fontconfig does not use.
    private static func isOther(_ name: String) -> Bool {
        ["afm", "pfm", "tfm", "dir", "scale", "alias"].contains((name as NSString).pathExtension)
            || name.hasPrefix("fonts.cache-")
    }

    /// A configuration file, without the folders that it names: the fonts in them count, and not where they are.
    private static func settings(in file: String) -> Data {
        guard var data = (try? PlainFile.read(file))?.data else { return Data() }
        for name in ["dir", "cachedir"] {
            while let start = data.range(of: Data("<\(name)".utf8)),
                let end = data.range(of: Data("</\(name)>".utf8), in: start.upperBound..<data.endIndex)
            { data.removeSubrange(start.lowerBound..<end.upperBound) }
        }
        return data
    }
}
