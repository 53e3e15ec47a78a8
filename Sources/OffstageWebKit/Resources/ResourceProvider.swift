import Foundation

/// Gives a snippet the files that its relative URLs name.
public protocol ResourceProvider: Sendable {
    /// The bytes of a resource. Called off the main thread, for several at once.
    ///
    /// - Parameter path: decoded, without a leading slash and without the URL's query: `assets/avatar.png`. Whatever a
    ///   stranger's document holds: the provider checks it.
    func resource(at path: String) async throws(ResourceError) -> Data
}

/// Why a provider gives no bytes.
public enum ResourceError: Error, Sendable, Hashable {
    /// There is no such resource.
    case missing
    /// There may be one, and it is not to be read, for this reason: a sentence's end, without its full stop.
    case refused(String)
}
