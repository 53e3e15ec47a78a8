import Foundation

/// Reads regular files. Rejects pipes and devices, which may block or never end.
public enum PlainFile {
    /// Reads a file's bytes with as few system calls as possible.
    ///
    /// - Parameter limit: the maximum number of bytes (default: none).
    /// - Returns: nil, without reading, for a larger file. `size` is the file's size.
    /// - Throws: `FileError`, with EINVAL for something other than a regular file.
    package static func read(_ path: String, limit: Int = .max) throws(FileError) -> (data: Data?, size: Int) {
        let (file, size) = try descriptor(path)
        defer { close(file) }
        if size > limit { return (nil, size) }
        // One byte more than the file has: a read that returns fewer has reached the end.
        var data = Data(count: size + 1)
        var count = 0
        while true {
            let step = data.withUnsafeMutableBytes { Foundation.read(file, $0.baseAddress! + count, $0.count - count) }
            if step < 0 && errno == EINTR { continue }
            guard step >= 0 else { throw FileError("read", path: path, code: errno) }
            count += step
            if count > limit { return (nil, count) }
            if count < data.count { return (data.prefix(count), count) }
            // The file has grown in the meantime.
            data.count *= 2
        }
    }

    /// Opens a file for reading; the handle closes it.
    ///
    /// - Throws: `FileError`, with EINVAL for something other than a regular file.
    public static func open(_ path: String) throws(FileError) -> FileHandle {
        FileHandle(fileDescriptor: try descriptor(path).file, closeOnDealloc: true)
    }

    /// The caller closes the descriptor.
    static func descriptor(_ path: String) throws(FileError) -> (file: Int32, size: Int) {
        // Without O_NONBLOCK, opening a pipe would wait for its writer.
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
