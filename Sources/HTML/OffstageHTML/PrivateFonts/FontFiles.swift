import Foundation
import Offstage

/// The font files below a folder.
struct FontFiles {
    /// The folder's path as the caller gave it.
    let name: String
    /// The folder's absolute path without symbolic links.
    let folder: String
    /// Absolute paths, sorted.
    let paths: [String]
    /// Changes when the folder moves, or when the name, size or time of any of its font files changes.
    let fingerprint: String

    private static let extensions: Set = ["ttf", "otf", "ttc", "otc", "woff", "woff2", "pfa", "pfb"]

    init(folder name: String) throws(PrivateFontsError) {
        func unreadable(_ code: Int32) -> PrivateFontsError {
            PrivateFontsError(folder: name, problem: .unreadable(code))
        }
        guard let resolved = realpath(name, nil) else { throw unreadable(errno) }
        let folder = String(cString: resolved)
        free(resolved)
        var info = stat()
        guard stat(folder, &info) == 0 else { throw unreadable(errno) }
        guard info.st_mode & S_IFMT == S_IFDIR else { throw unreadable(ENOTDIR) }
        guard access(folder, R_OK | X_OK) == 0 else { throw unreadable(errno) }
        self.name = name
        self.folder = folder
        paths = Self.search(folder)
        if paths.isEmpty { throw PrivateFontsError(folder: name, problem: .empty) }
        fingerprint = Self.fingerprint(folder, paths)
    }

    private static func search(_ folder: String) -> [String] {
        guard let walk = FileManager.default.enumerator(atPath: folder) else { return [] }
        var found: [String] = []
        while let path = walk.nextObject() as? String {
            let name = (path as NSString).lastPathComponent
            if name.hasPrefix(".") {
                walk.skipDescendants()
            } else if extensions.contains((name as NSString).pathExtension.lowercased()) {
                found.append(folder + "/" + path)
            }
        }
        return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// A 64-bit FNV-1a hash. It names a cache folder and need not be secure.
    private static func fingerprint(_ folder: String, _ paths: [String]) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ bytes: some Sequence<UInt8>) {
            for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            hash = hash &* 0x100_0000_01B3
        }
        add(folder.utf8)
        for path in paths {
            var info = stat()
            stat(path, &info)
            add(path.utf8)
            add("\(info.st_size) \(info.st_mtim.tv_sec) \(info.st_mtim.tv_nsec)".utf8)
        }
        return String(hash, radix: 16)
    }
}
