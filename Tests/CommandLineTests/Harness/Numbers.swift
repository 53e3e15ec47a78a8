import Foundation

/// A file for the source of the example `sparkline`.
enum Numbers {
    /// Half of the numbers are 0, and the other half reach the picture's top.
    static let csv = Data(
        (Array(repeating: "0", count: 20) + Array(repeating: "3", count: 20)).joined(separator: ",").utf8)
}
