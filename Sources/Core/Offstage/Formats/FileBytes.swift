import Foundation

/// Collects a file's bytes from an encoder: in memory, or, if the picture is in a temporary file, in another temporary
/// file.
struct FileBytes {
    private var pending = Data()
    private let file: SpoolFile?

    /// Bytes per write.
    private static let step = 1 << 20

    init(for pixmap: Pixmap) throws(EncodingError) {
        do throws(FileError) {
            file = pixmap.isSpooled ? try SpoolFile() : nil
        } catch {
            throw EncodingError("\(error)")
        }
    }

    mutating func reserveCapacity(_ count: Int) {
        pending.reserveCapacity(file == nil ? count : Self.step)
    }

    /// Appends a few bytes.
    mutating func append(_ data: Data) { pending.append(data) }

    mutating func append(_ bytes: UnsafeRawBufferPointer) throws(EncodingError) {
        pending.append(contentsOf: bytes)
        if file != nil, pending.count >= Self.step { try flush() }
    }

    private mutating func flush() throws(EncodingError) {
        guard let file else { return }
        let result = pending.withUnsafeBytes { bytes in Result { () throws(FileError) in try file.append(bytes) } }
        if case .failure(let error) = result { throw EncodingError("\(error)") }
        pending.removeAll(keepingCapacity: true)
    }

    /// Returns all bytes, in their own memory or in a mapped file.
    mutating func finish() throws(EncodingError) -> Data {
        guard let file else { return pending }
        try flush()
        do throws(FileError) {
            let memory = try file.map()
            let address = UInt(bitPattern: memory.baseAddress)
            return Data(
                bytesNoCopy: UnsafeMutableRawPointer(mutating: memory.baseAddress!), count: memory.count,
                deallocator: .custom { _, _ in SpoolFile.unmap(address) })
        } catch {
            throw EncodingError("\(error)")
        }
    }
}
