import Foundation

/// The newest pictures of all machines, under clients' identifiers. Unlike a `SharedShelf`, it does not guess: without
/// an answer, it throws, because an older picture would be wrong.
package protocol SharedNames: Sendable {
    /// The digest of the bytes of an identifier's picture; nil for an identifier without a picture.
    func content(of identifier: String) async throws(SharedUnavailable) -> Digest?

    /// The picture; nil if none exists.
    func picture(of identifier: String) async throws(SharedUnavailable) -> StoredPicture?

    /// The owner of an identifier's picture; nil for an identifier without a picture.
    func owner(of identifier: String) async throws(SharedUnavailable) -> PictureOwner?

    /// Stores pictures, all or none. When this returns `done`, every machine finds them, and they survive a power cut.
    ///
    /// - Parameters:
    ///   - pictures: the expected picture and the owner are checked for the first one.
    ///   - others: identifiers whose pictures are removed in the same step.
    ///   - client: the new owner.
    func put(
        _ pictures: [(identifier: String, picture: StoredPicture)], removing others: [String],
        by client: PinningClient, over expected: ExpectedPicture
    ) async throws(SharedUnavailable) -> PinOutcome

    /// Removes pictures, all or none.
    ///
    /// - Parameter identifiers: the expected picture and the owner are checked for the first one.
    func remove(
        _ identifiers: [String], by client: PinningClient, _ expected: ExpectedPicture
    ) async throws(SharedUnavailable) -> PinOutcome
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

/// The error of shared pictures that cannot be reached.
package struct SharedUnavailable: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
