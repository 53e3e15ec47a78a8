import Foundation

/// Pictures too large for the database, each in a file that is named by its content.
///
/// From 512 KiB on a file is quicker than a row, by twice for writing and twenty times for reading at 1 MiB; at 256 KiB
/// the row is written three times as fast.
struct LargeFiles {
    /// Bytes from which on a picture is in a file.
    static let threshold = 512 << 10

    let folder: String

    init(in folder: String) { self.folder = folder + "/large" }

    private func path(_ content: Digest) -> String {
        let name = content.description
        return "\(folder)/\(name.prefix(2))/\(name)"
    }

    func write(_ data: Data, _ content: Digest) throws(FileError) {
        let path = path(content)
        mkdir(folder, 0o700)
        mkdir(parentFolder(of: path), 0o700)
        try AtomicFile.write(data, to: path)
    }

    /// Nil for a file that is not there, not of this length, or cannot be read. Not mapped, as a file that is cut off
    /// meanwhile would end the program.
    func read(_ content: Digest, length: Int) -> Data? {
        guard let file = try? PlainFile.open(path(content)) else { return nil }
        var info = stat()
        guard fstat(file.fileDescriptor, &info) == 0, Int(info.st_size) == length else { return nil }
        return try? file.readToEnd() ?? Data()
    }

    func has(_ content: Digest, length: Int) -> Bool {
        var info = stat()
        return stat(path(content), &info) == 0 && Int(info.st_size) == length
    }

    func remove(_ content: Digest) { unlink(path(content)) }

    func removeAll() { try? FileManager.default.removeItem(atPath: folder) }

    /// Files that are older than an hour: what is younger may be about to be told of in the database.
    func settled(now: Date) -> [(path: String, content: Digest?)] {
        guard let names = FileManager.default.enumerator(atPath: folder) else { return [] }
        return names.compactMap { entry in
            guard let name = entry as? String else { return nil }
            let path = folder + "/" + name
            var info = stat()
            guard lstat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return nil }
            guard Double(info.st_mtim.tv_sec) < now.timeIntervalSince1970 - 3600 else { return nil }
            return (path, Digest(name.split(separator: "/").last ?? ""))
        }
    }
}
