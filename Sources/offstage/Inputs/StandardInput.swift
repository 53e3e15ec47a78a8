import Foundation
import Offstage

/// What comes on standard input, to its end.
enum StandardInput {
    static let name = "standard input"

    /// - Throws: `FileError`.
    static func read() throws(FileError) -> Data {
        var document = Data()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Foundation.read(STDIN_FILENO, &buffer, buffer.count)
            if count == 0 { return document }
            if count > 0 {
                document.append(contentsOf: buffer[..<count])
            } else if errno != EINTR {
                throw FileError("read", path: name, code: errno)
            }
        }
    }
}
