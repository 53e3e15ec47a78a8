import Foundation
import Offstage

/// Provides the files that a snippet's relative URLs name.
public protocol ResourceProvider: Sendable {
    /// The bytes of a resource. Called off the main thread, and for several resources concurrently.
    ///
    /// - Parameter path: Decoded, without a leading slash and without the URL's query: `assets/avatar.png`. It comes from an
    ///   untrusted document, so the provider must check it.
    func resource(at path: String) async throws(ResourceError) -> Data

    /// The bytes of a resource of at most `count` bytes; a larger one is `ResourceError.tooLarge`. The default implementation
    /// reads the resource and then checks its size. A provider that knows the size in advance should check it first, because a
    /// resource may be large.
    func resource(at path: String, upTo count: Int) async throws(ResourceError) -> Data

    /// The digest of a resource's current bytes. Nil if no digest is available. The engine compares it for each
    /// resource of a cached picture, to decide whether the picture is still valid. The default implementation reads the
    /// bytes.
    func digest(at path: String) async -> Digest?
}

extension ResourceProvider {
    public func resource(at path: String, upTo count: Int) async throws(ResourceError) -> Data {
        let data = try await resource(at: path)
        if data.count > count { throw .tooLarge }
        return data
    }

    public func digest(at path: String) async -> Digest? { (try? await resource(at: path)).map { Digest(of: $0) } }
}

/// The reason why a provider returns no bytes.
public enum ResourceError: Error, Sendable, Hashable {
    /// The resource does not exist.
    case missing
    /// The resource may exist but must not be read. The value is the reason, as the end of a sentence without its full
    /// stop.
    case refused(String)
    /// The resource is larger than requested.
    case tooLarge
}
