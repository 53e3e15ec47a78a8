import Foundation
import Synchronization

/// A temporary file for data that is too large for memory. It has no name, so it disappears with the process, however
/// that ends. It is in the folder of TMPDIR, or else in /var/tmp, because /tmp may be in memory.
///
/// `@unchecked Sendable`: callers write (which changes `length`) before they share the file, and write each byte once.
/// After that, nothing changes.
package final class SpoolFile: @unchecked Sendable {
    /// Bytes.
    package private(set) var length = 0
    package let descriptor: Int32
    private let folder: String

    /// The folder of the files.
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

    /// Reserves space on the disk, so that a full disk is noticed before the work is done.
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

    /// Fills the buffer with the bytes at an offset.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileError) {
        var done = 0
        while done < buffer.count {
            let count = pread(descriptor, buffer.baseAddress! + done, buffer.count - done, offset + done)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw error(count < 0 ? errno : EIO) }
            done += count
        }
    }

    /// Maps the file as read-only memory, to be released with `unmap`. The memory stays valid after the file object is
    /// released. Parts that were never written are zero.
    package func map() throws(FileError) -> UnsafeRawBufferPointer {
        // A shared mapping: its pages belong to the file, so that a reader may drop them.
        guard let base = mmap(nil, length, PROT_READ, MAP_SHARED, descriptor, 0), base != MAP_FAILED else {
            throw error(errno)
        }
        Self.mappings.withLock { $0[UInt(bitPattern: base)] = length }
        return UnsafeRawBufferPointer(start: base, count: length)
    }

    /// - Parameter address: the address from `map`, as a number, because a pointer is not Sendable.
    package static func unmap(_ address: UInt) {
        let length = mappings.withLock { $0.removeValue(forKey: address) }
        if let length { munmap(UnsafeMutableRawPointer(bitPattern: address), length) }
    }

    /// The lengths of mappings, by address.
    private static let mappings = Mutex<[UInt: Int]>([:])

    /// Releases the pages of bytes that have been read, if they belong to a mapped file. The file still has them.
    package static func dropPages(of bytes: UnsafeRawBufferPointer) {
        let page = UInt(getpagesize())
        let start = UInt(bitPattern: bytes.baseAddress)
        let end = start + UInt(bytes.count)
        mappings.withLock { mappings in
            guard mappings.contains(where: { $0 <= start && end <= $0 + UInt($1) }) else { return }
            let first = start / page * page
            madvise(
                UnsafeMutableRawPointer(bitPattern: first), Int((end + page - 1) / page * page - first), MADV_DONTNEED)
        }
    }

    private func error(_ code: Int32) -> FileError { FileError("write a temporary file in", path: folder, code: code) }
}
