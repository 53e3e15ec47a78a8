import Foundation
import Synchronization

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

    /// Fills the buffer with what was written there.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileError) {
        var done = 0
        while done < buffer.count {
            let count = pread(descriptor, buffer.baseAddress! + done, buffer.count - done, offset + done)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw error(count < 0 ? errno : EIO) }
            done += count
        }
    }

    /// The file as read-only memory, to be given back with `unmap`; it stays when the file object goes. Parts never written
    /// are zero.
    package func map() throws(FileError) -> UnsafeRawBufferPointer {
        // A shared mapping: its pages are the file's, so that a reader may drop them.
        guard let base = mmap(nil, length, PROT_READ, MAP_SHARED, descriptor, 0), base != MAP_FAILED else {
            throw error(errno)
        }
        Self.mappings.withLock { $0[UInt(bitPattern: base)] = length }
        return UnsafeRawBufferPointer(start: base, count: length)
    }

    /// - Parameter address: of what `map` returned, as a number, because a pointer is not Sendable.
    package static func unmap(_ address: UInt) {
        let length = mappings.withLock { $0.removeValue(forKey: address) }
        if let length { munmap(UnsafeMutableRawPointer(bitPattern: address), length) }
    }

    /// Lengths by address.
    private static let mappings = Mutex<[UInt: Int]>([:])

    /// Takes what has been read out of this process's memory, where it is a mapped file's, which has it still.
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
