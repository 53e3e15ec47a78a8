import Foundation
import Offstage
import Synchronization

/// The data on standard input, up to its end.
enum StandardInput {
    static let name = "standard input"

    private static let remembered = Mutex<Data?>(nil)

    /// Reads the data once, for all later readers.
    ///
    /// - Throws: `FileError`.
    static func remember() throws(FileError) {
        let all = try read()
        remembered.withLock { $0 = all }
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
