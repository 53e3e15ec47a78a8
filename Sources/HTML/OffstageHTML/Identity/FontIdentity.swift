import CFontconfig
import Foundation
import Offstage

/// Identifies the fonts that fontconfig finds on this machine, and its configuration, by their contents. The order counts:
/// fontconfig prefers the first of equal fonts.
package enum FontIdentity {
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
    package static func folders() -> [String] {
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
        for (name, isFolder) in entries(of: folder) {
            let path = folder + "/" + name
            if isFolder {
                addFonts(in: path, at: place + name + "/", to: &builder)
            } else if let digest = FileIdentity.digest(ofFont: path) {
                builder.add(place + name, digest)
            }
        }
    }

    /// The entries, sorted by name. Takes their kinds from the directory listing, because a system call for each of
    /// hundreds of fonts would be slow.
    private static func entries(of folder: String) -> [(name: String, isFolder: Bool)] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var entries: [(name: String, isFolder: Bool)] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasPrefix(".") || isOther(name) { continue }
            var isFolder = Int(entry.pointee.d_type) == DT_DIR
            // Some file systems don't provide the kind.
            if Int(entry.pointee.d_type) == DT_UNKNOWN {
                var info = Foundation.stat()
                isFolder = lstat(folder + "/" + name, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
            }
            entries.append((name, isFolder))
        }
        return entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// Files beside fonts that fontconfig does not use: metrics for TeX, and lists and encodings for X servers.
    private static func isOther(_ name: String) -> Bool {
        otherEndings.contains { name.hasSuffix($0) } || name.hasPrefix("fonts.cache-")
    }

    private static let otherEndings = [".afm", ".pfm", ".tfm", ".dir", ".scale", ".alias", ".enc.gz", ".enc"]

    /// The contents of a configuration file, without the folders that it names: the fonts in these folders count, but
    /// not their location.
    private static func settings(in file: String) -> Data {
        guard var data = (try? PlainFile.read(file))?.data else { return Data() }
        for name in ["dir", "cachedir"] {
            while let start = place(of: "<\(name)", in: data, from: 0),
                let end = place(of: "</\(name)>", in: data, from: start + name.utf8.count + 1)
            { data.removeSubrange(start..<end + name.utf8.count + 3) }
        }
        return data
    }

    /// - Parameter tag: begins with `<`. Foundation's own search would take a millisecond for the fifty files.
    private static func place(of tag: String, in data: Data, from start: Int) -> Int? {
        data.withUnsafeBytes { bytes in
            var rest = bytes[start...]
            while let place = rest.firstIndex(of: UInt8(ascii: "<")) {
                rest = rest[place...]
                if rest.starts(with: tag.utf8) { return place }
                rest = rest.dropFirst()
            }
            return nil
        }
    }
}
