import Foundation

/// Compared, never opened: without `.` and `..`, links as they are.
package func absolutePath(_ path: String) -> String {
    // Foundation goes by way of a URL: 65,000 instructions for each picture of a run in which nothing is drawn.
    let isPlain = !path.isEmpty && !path.hasPrefix(".") && !path.hasSuffix("/") && !path.hasDotsOrDoubleSlash
    if !isPlain { return URL(fileURLWithPath: path).standardizedFileURL.path }
    return path.hasPrefix("/") ? path : workingFolder + "/" + path
}

/// It stays the same while the program runs.
private let workingFolder = absolutePath(FileManager.default.currentDirectoryPath + "/")

extension String {
    /// Whether a slash or a dot follows a slash.
    fileprivate var hasDotsOrDoubleSlash: Bool {
        var isBehindSlash = false
        for byte in utf8 {
            if isBehindSlash, byte == UInt8(ascii: "/") || byte == UInt8(ascii: ".") { return true }
            isBehindSlash = byte == UInt8(ascii: "/")
        }
        return false
    }
}
