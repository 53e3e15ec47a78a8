/// A command line, or a request, that asks for something that cannot be.
package struct UsageError: Error, CustomStringConvertible {
    /// What is wrong and what to do, in a sentence without its full stop.
    package var description: String

    package init(_ description: String) { self.description = description }
}
