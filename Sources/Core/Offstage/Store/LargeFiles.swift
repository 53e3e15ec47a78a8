import Foundation

/// Pictures that are too large for the database. Each is in a file named after its content.
///
/// From 512 KiB, a file is faster than a row: at 1 MiB, twice as fast to write and twenty times as fast to read. At 256
/// KiB, a row is three times as fast to write.
struct LargeFiles {
    /// The number of bytes from which a picture is in a file.
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

    /// Waits until a file and its name are on the disk.
    func sync(_ content: Digest) throws(FileError) {
        let path = path(content)
        for name in [path, parentFolder(of: path), folder, parentFolder(of: folder)] {
            let descriptor = open(name, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw FileError("write", path: name, code: errno) }
            defer { close(descriptor) }
            // EINVAL means that the file system does not support it.
            if fsync(descriptor) != 0, errno != EINVAL { throw FileError("write", path: name, code: errno) }
        }
    }

    /// Nil if the file is missing, has another length, or has unreadable parts. Not mapped: the program would end if a
    /// mapped file were truncated.
    ///
    /// - Throws: if it cannot be opened now, which says nothing about the file: too many files are open, for example.
    func read(_ content: Digest, length: Int) throws(SQLiteError) -> Data? {
        do throws(FileError) {
            let (file, size) = try PlainFile.descriptor(path(content))
            let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
            return size == length ? try? handle.readToEnd() ?? Data() : nil
        } catch {
            if [ENOENT, ENOTDIR, EISDIR, EINVAL, ELOOP, EIO].contains(error.code) { return nil }
            throw SQLiteError(unreadable: error)
        }
    }

    func has(_ content: Digest, length: Int) -> Bool {
        var info = stat()
        return stat(path(content), &info) == 0 && Int(info.st_size) == length
    }

    func remove(_ content: Digest) { unlink(path(content)) }

    func removeAll() { try? FileManager.default.removeItem(atPath: folder) }

    /// Files older than an hour. For a newer file, the database may not have a row yet.
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
