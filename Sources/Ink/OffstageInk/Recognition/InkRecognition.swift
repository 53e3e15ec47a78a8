import Foundation

/// Tells ink from other files by their first bytes.
package enum InkRecognition {
    /// True for bytes that are certainly ink. A packed file can be anything, and no other source has packed files.
    package static func recognizes(_ data: Data) -> Bool {
        if data.starts(with: [0x1F, 0x8B]) { return true }
        let head = String(decoding: data.prefix(1024), as: UTF8.self)
        guard head.drop(while: \.isWhitespace).first == "<" else { return FreehandShape.matches(data) }
        return head.contains("<xournal") || head.contains("http://www.w3.org/2003/InkML")
    }
}
