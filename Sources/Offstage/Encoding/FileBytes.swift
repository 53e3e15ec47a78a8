import Foundation

/// A file's bytes as an encoder makes them: in memory, or for a picture that is in a temporary file in one, too.
struct FileBytes {
    private var pending = Data()
    private let file: SpoolFile?

    /// Bytes that are written at once.
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

    /// A few bytes.
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

    /// All of it; memory of its own or a mapped file.
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
