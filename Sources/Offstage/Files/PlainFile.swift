import Foundation

/// Files that are read to their end and have one: not pipes and devices, which may block or go on for ever.
public enum PlainFile {
    /// Opens a file for reading; the handle closes it.
    ///
    /// - Throws: `FileError`, with EINVAL for what is not a plain file.
    public static func open(_ path: String) throws(FileError) -> FileHandle {
        // Opening a pipe waits for its writer unless told not to.
        let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw FileError("read", path: path, code: errno) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { throw FileError("read", path: path, code: errno) }
        switch info.st_mode & S_IFMT {
        case S_IFREG: return file
        case S_IFDIR: throw FileError("read", path: path, code: EISDIR)
        default: throw FileError("read", path: path, code: EINVAL)
        }
    }
}
