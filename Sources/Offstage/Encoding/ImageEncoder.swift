import Foundation

/// Turns finished pixels into a file's bytes. Called off the main thread; the same pixels give the same bytes.
public protocol ImageEncoder: Sendable {
    /// Without a dot: `png`.
    var fileExtension: String { get }

    /// - Parameter scale: device px to a CSS px, recorded in the file where the format can.
    func encode(_ pixmap: Pixmap, scale: Double) throws(EncodingError) -> Data
}

/// Pixels that could not be made into a file.
public struct EncodingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The encoder's name and its own words.
    public var description: String

    public init(_ description: String) { self.description = description }
}
