import Foundation

/// The pictures under clients' identifiers, the newest of all machines. Unlike a `SharedShelf`, it does not guess: without an answer
/// it throws, because an older picture would be a wrong one.
package protocol SharedNames: Sendable {
    /// The digest of the bytes of an identifier's picture; nil for an identifier without a picture.
    func content(of identifier: String) async throws(SharedUnavailable) -> Digest?

    /// The picture; nil if there is none.
    func picture(of identifier: String) async throws(SharedUnavailable) -> StoredPicture?

    /// Stores a picture. When this returns true, every machine finds it, and it survives a power cut.
    ///
    /// - Returns: false without effect if the present picture is not the expected one.
    func put(
        _ picture: StoredPicture, as identifier: String, over expected: ExpectedPicture
    ) async throws(SharedUnavailable) -> Bool

    /// - Returns: false without effect if the present picture is not the expected one.
    func remove(_ identifier: String, _ expected: ExpectedPicture) async throws(SharedUnavailable) -> Bool
}

/// The picture under an identifier that a change expects, so that no other machine's change gets lost.
package enum ExpectedPicture: Sendable, Hashable {
    case any, nothing
    case content(Digest)

    package func isMet(by present: Digest?) -> Bool {
        switch self {
        case .any: true
        case .nothing: present == nil
        case .content(let content): present == content
        }
    }
}

/// The shared pictures cannot be reached.
package struct SharedUnavailable: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
