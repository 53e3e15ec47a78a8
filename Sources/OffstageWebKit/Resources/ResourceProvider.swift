import Foundation
import Offstage

/// Gives a snippet the files that its relative URLs name.
public protocol ResourceProvider: Sendable {
    /// The bytes of a resource. Called off the main thread, for several at once.
    ///
    /// - Parameter path: decoded, without a leading slash and without the URL's query: `assets/avatar.png`. Whatever a
    ///   stranger's document holds: the provider checks it.
    func resource(at path: String) async throws(ResourceError) -> Data

    /// As the other; a resource of more than `count` bytes is `ResourceError.tooLarge`. By default it is read for that. A provider
    /// that knows the size before, and may hold something large, says so without.
    func resource(at path: String, upTo count: Int) async throws(ResourceError) -> Data

    /// The digest of a resource's present bytes; nil where there are none. Asked for to know whether a kept picture is still
    /// right, for each resource that it was made of. By default the bytes are read for it.
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

/// Why a provider gives no bytes.
public enum ResourceError: Error, Sendable, Hashable {
    /// There is no such resource.
    case missing
    /// There may be one, and it is not to be read, for this reason: a sentence's end, without its full stop.
    case refused(String)
    /// It has more bytes than were wanted.
    case tooLarge
}
