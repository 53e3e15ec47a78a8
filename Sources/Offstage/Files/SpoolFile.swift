import Foundation

/// A temporary file for what is too large for memory: nameless, so that it goes with the process, however that ends. It is
/// in the folder that TMPDIR names, else in /var/tmp, as a /tmp in memory would be no help.
///
/// `@unchecked Sendable`, although a descriptor is written to: callers write before they share it, each byte once.
package final class SpoolFile: @unchecked Sendable {
    /// Bytes.
    package private(set) var length = 0
    private let descriptor: Int32
    private let folder: String

    /// The folder that the files are in.
    package static var folder: String {
        let set = ProcessInfo.processInfo.environment["TMPDIR"] ?? ""
        return set.isEmpty ? "/var/tmp" : set
    }

    package init() throws(FileError) {
        folder = Self.folder
        let path = "\(folder)/offstage-\(UUID().uuidString)"
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileError("write a temporary file in", path: folder, code: errno) }
        unlink(path)
    }

    deinit { close(descriptor) }

    /// Claims room on the disk, so that its lack shows before the work is done.
    package func reserve(_ range: Range<Int>) throws(FileError) {
        let code = posix_fallocate(descriptor, range.lowerBound, range.count)
        guard code == 0 else { throw error(code) }
        length = max(length, range.upperBound)
    }

    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileError) {
        var done = 0
        while done < bytes.count {
            let count = pwrite(descriptor, bytes.baseAddress! + done, bytes.count - done, offset + done)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw error(errno) }
            done += count
        }
        length = max(length, offset + bytes.count)
    }

    package func append(_ bytes: UnsafeRawBufferPointer) throws(FileError) { try write(bytes, at: length) }

    /// The file as read-only memory, to be given back with `munmap`; it stays when the file object goes. Parts never
    /// written are zero.
    package func map() throws(FileError) -> UnsafeMutableRawBufferPointer {
        // A shared mapping: its pages are the file's, so that a reader may drop them.
        guard let base = mmap(nil, length, PROT_READ, MAP_SHARED, descriptor, 0), base != MAP_FAILED else {
            throw error(errno)
        }
        return UnsafeMutableRawBufferPointer(start: base, count: length)
    }

    private func error(_ code: Int32) -> FileError { FileError("write a temporary file in", path: folder, code: code) }
}
