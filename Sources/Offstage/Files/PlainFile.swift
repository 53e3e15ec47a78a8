import Foundation

/// Files that are read to their end and have one: not pipes and devices, which may block or never end.
public enum PlainFile {
    /// The file's bytes, in as few calls of the system as possible.
    ///
    /// - Parameter limit: bytes; default none.
    /// - Returns: nil for a larger file, which is not read. `size` is its size.
    /// - Throws: `FileError`, with EINVAL for something other than a plain file.
    package static func read(_ path: String, limit: Int = .max) throws(FileError) -> (data: Data?, size: Int) {
        let (file, size) = try descriptor(path)
        defer { close(file) }
        if size > limit { return (nil, size) }
        // One more than it has: a read that gives less is the end.
        var data = Data(count: size + 1)
        var count = 0
        while true {
            let step = data.withUnsafeMutableBytes { Foundation.read(file, $0.baseAddress! + count, $0.count - count) }
            if step < 0 && errno == EINTR { continue }
            guard step >= 0 else { throw FileError("read", path: path, code: errno) }
            count += step
            if count > limit { return (nil, count) }
            if count < data.count { return (data.prefix(count), count) }
            // It has grown meanwhile.
            data.count *= 2
        }
    }

    /// Opens a file for reading; the handle closes it.
    ///
    /// - Throws: `FileError`, with EINVAL for something other than a plain file.
    public static func open(_ path: String) throws(FileError) -> FileHandle {
        FileHandle(fileDescriptor: try descriptor(path).file, closeOnDealloc: true)
    }

    /// The caller closes it.
    private static func descriptor(_ path: String) throws(FileError) -> (file: Int32, size: Int) {
        // Opening a pipe waits for its writer without O_NONBLOCK.
        let file = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw FileError("read", path: path, code: errno) }
        var info = stat()
        let code: Int32 =
            if fstat(file, &info) != 0 { errno } else {
                switch info.st_mode & S_IFMT {
                case S_IFREG: 0
                case S_IFDIR: EISDIR
                default: EINVAL
                }
            }
        if code == 0 { return (file, Int(info.st_size)) }
        close(file)
        throw FileError("read", path: path, code: code)
    }
}
