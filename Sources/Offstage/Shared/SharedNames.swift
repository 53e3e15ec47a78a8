import Foundation

/// The pictures under clients' identifiers, the newest of all machines. Unlike a `SharedShelf`, it does not guess: without an answer
/// it throws, because an older picture would be a wrong one.
package protocol SharedNames: Sendable {
    /// The digest of the bytes of an identifier's picture; nil for an identifier without a picture.
    func content(of identifier: String) async throws(SharedUnavailable) -> Digest?

    /// The picture; nil if there is none.
    func picture(of identifier: String) async throws(SharedUnavailable) -> StoredPicture?

    /// Stores a picture. When this returns, every machine finds it, and it survives a power cut.
    func put(_ picture: StoredPicture, as identifier: String) async throws(SharedUnavailable)

    func remove(_ identifier: String) async throws(SharedUnavailable)
}

/// The shared pictures cannot be reached.
package struct SharedUnavailable: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
