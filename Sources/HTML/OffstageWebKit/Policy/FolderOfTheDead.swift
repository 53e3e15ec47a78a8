import Foundation

/// Folders that a killed process left in the temporary folder.
enum FolderOfTheDead {
    /// Removes the folders of killed processes. Considers only this user's folders.
    ///
    /// - Parameters:
    ///   - place: the folder that contains them.
    ///   - prefix: the beginning of the names, before the process number. It names the PID namespace, because in another one
    ///     the numbers mean other processes.
    static func discard(in place: String, prefix: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? [] where name.hasPrefix(prefix) {
            guard let process = pid_t(name.dropFirst(prefix.count).prefix { $0 != "-" }), kill(process, 0) != 0,
                errno == ESRCH
            else { continue }
            var info = stat()
            let path = "\(place)/\(name)"
            guard lstat(path, &info) == 0, info.st_mode & S_IFMT == S_IFDIR, info.st_uid == geteuid() else { continue }
            try? FileManager.default.removeItem(atPath: path)
        }
    }
}
