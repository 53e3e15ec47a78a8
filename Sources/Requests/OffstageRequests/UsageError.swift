/// An error in a command line or a request.
package struct UsageError: Error, CustomStringConvertible {
    /// The problem and the remedy, in a sentence without its full stop.
    package var description: String

    package init(_ description: String) { self.description = description }
}
