import Foundation
import Offstage

/// A document that a worker reads from its file, so that its size does not matter. Closed with the last reference.
public final class WorkerFile: Sendable {
    let descriptor: OwnedDescriptor
    /// Bytes. If the file becomes shorter, the document counts as truncated.
    public let size: Int

    /// Opens a regular file for reading.
    ///
    /// - Parameter path: the file's path.
    /// - Throws: `FileError`, with EINVAL for something other than a regular file.
    public init(_ path: String) throws(FileError) {
        let file = try PlainFile.open(path)
        let copy = fcntl(file.fileDescriptor, F_DUPFD_CLOEXEC, 0)
        var info = stat()
        guard copy >= 0, fstat(copy, &info) == 0 else { throw FileError("read", path: path, code: errno) }
        descriptor = OwnedDescriptor(copy)
        size = Int(info.st_size)
    }

    package var state: FileState? { FileState(ofDescriptor: descriptor.number) }

    /// The tree digest of the content, which is read in pieces. An unreadable part is left out.
    public var digest: Digest { digest(upTo: .max).digest }

    /// The tree digest of the first bytes; nil if there are fewer.
    public func digest(ofFirst count: Int) -> Digest? {
        let found = digest(upTo: count)
        return found.count == count ? found.digest : nil
    }

    private func digest(upTo limit: Int) -> (digest: Digest, count: Int) {
        var offset = 0
        let digest = Digest(ofTree: { add in
            let step = 256 << 10
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: step, alignment: 16)
            defer { buffer.deallocate() }
            while offset < limit {
                let count = pread(descriptor.number, buffer.baseAddress, min(step, limit - offset), offset)
                if count < 0 && errno == EINTR { continue }
                if count <= 0 { return }
                add(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                offset += count
            }
        })
        return (digest, offset)
    }

    /// The first bytes.
    public func head(_ count: Int) -> Data { bytes(from: 0, count: count) }

    /// Some bytes; fewer at the end of the file.
    package func bytes(from offset: Int, count: Int) -> Data {
        var bytes = Data(count: count)
        let read = bytes.withUnsafeMutableBytes { pread(descriptor.number, $0.baseAddress, $0.count, offset) }
        return bytes.prefix(max(0, read))
    }
}
