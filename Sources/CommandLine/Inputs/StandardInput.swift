import Foundation
import Offstage
import OffstageRequests
import Synchronization

/// The data on standard input, up to its end.
enum StandardInput {
    static let name = "standard input"

    private static let remembered = Mutex<Data?>(nil)

    /// Reads the data once, for all later readers.
    ///
    /// - Parameter limit: the number of bytes to keep. Default all.
    /// - Throws: `FileError`.
    static func remember(limit: Int = .max) throws(FileError) {
        let all = try read(limit: limit)
        remembered.withLock { $0 = all }
    }

    /// The source that recognizes the data, which it reads for that; otherwise the first one.
    static var source: RegisteredSource {
        // An error appears again when the document is read.
        try? remember(limit: 256 << 20)
        let data = remembered.withLock { $0 } ?? Data()
        return SourceRegistry.all.first { $0.recognizes(data) } ?? SourceRegistry.first
    }

    /// - Parameter limit: the number of bytes to keep. Further bytes are read and dropped, because the document is over
    ///   its limit.
    /// - Throws: `FileError`.
    static func read(limit: Int = .max) throws(FileError) -> Data {
        if let all = remembered.withLock({ $0 }) { return all }
        var document = Data()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Foundation.read(STDIN_FILENO, &buffer, buffer.count)
            if count == 0 { return document }
            if count > 0 {
                if document.count <= limit { document.append(contentsOf: buffer[..<count]) }
            } else if errno != EINTR {
                throw FileError("read", path: name, code: errno)
            }
        }
    }
}
