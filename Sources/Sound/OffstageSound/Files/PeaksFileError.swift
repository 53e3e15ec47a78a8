/// The reason why bytes are not a file of peaks.
public struct PeaksFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A sentence without its full stop.
    public var description: String

    init(_ description: String) { self.description = description }
}
