import Foundation
import Offstage

/// The names of a file with ink and of Offstage's own files for it: `.NAME.offstage-journal`,
/// `.NAME.offstage-journal-2`, `.NAME.offstage-lock` and `.NAME.offstage-new`, in the folder of the file itself.
///
/// Files are found by their complete names, never by a prefix.
struct InkFileNames: Sendable, Hashable {
    /// The file itself, with all symbolic links resolved. It may not exist.
    let file: String
    /// Two names, used alternately: a new journal is complete before the old one is removed.
    let journals: [String]
    let lock: String
    /// The name of the file while it is being written.
    let temporary: String

    /// - Parameter path: may be a symbolic link, also to a file that does not exist.
    init(_ path: String) {
        file = Self.resolved(path)
        let folder = parentFolder(of: file)
        let prefix = folder.isEmpty ? "" : folder == "/" ? "/" : folder + "/"
        let name = String(decoding: file.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
        func own(_ purpose: String) -> String {
            let whole = ".\(name).offstage-\(purpose)"
            if whole.utf8.count <= 255 { return prefix + whole }
            // The name would be too long for the file system, so use its digest.
            return "\(prefix).\(Digest(of: name)).offstage-\(purpose)"
        }
        journals = [own("journal"), own("journal-2")]
        lock = own("lock")
        temporary = own("new")
    }

    /// Resolves each link itself, because the file may be missing.
    private static func resolved(_ path: String) -> String {
        var path = path
        for _ in 0..<40 {
            if let known = realpath(path, nil) {
                defer { free(known) }
                return String(cString: known)
            }
            guard let link = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { break }
            let folder = parentFolder(of: path)
            path = link.hasPrefix("/") || folder.isEmpty ? link : folder + "/" + link
        }
        let folder = parentFolder(of: path)
        guard let known = realpath(folder.isEmpty ? "." : folder, nil) else { return path }
        defer { free(known) }
        let name = path.utf8.dropFirst(folder.utf8.count).drop { $0 == UInt8(ascii: "/") }
        let parent = String(cString: known)
        return (parent == "/" ? "" : parent) + "/" + String(decoding: name, as: UTF8.self)
    }
}

extension InkFileNames {
    /// The names of a file. A file with several hard links may have been opened under another name in the same folder,
    /// so that name's journal counts, too.
    static func known(_ path: String) -> InkFileNames {
        let names = InkFileNames(path)
        var info = stat()
        guard stat(names.file, &info) == 0, info.st_nlink > 1, InkJournalSlots.all(of: names).isEmpty else {
            return names
        }
        let folder = parentFolder(of: names.file)
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            var other = stat()
            let file = folder + "/" + name
            guard file != names.file, lstat(file, &other) == 0, other.st_ino == info.st_ino, other.st_dev == info.st_dev
            else { continue }
            let known = InkFileNames(file)
            if !InkJournalSlots.all(of: known).isEmpty { return known }
        }
        return names
    }
}
