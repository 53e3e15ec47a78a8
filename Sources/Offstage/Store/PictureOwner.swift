/// The owner of a pinned picture: the client that has PUT it.
package struct PictureOwner: Sendable, Hashable {
    /// Nil for a picture that was PUT while the service had no tokens.
    package var name: String?

    package init(name: String?) { self.name = name }
}

/// A client that changes pinned pictures.
package struct PinningClient: Sendable, Hashable {
    /// Nil if the service has no tokens: all who reach it have the same rights.
    package var name: String?
    package var mayChangeOthers: Bool

    package init(name: String?, mayChangeOthers: Bool) {
        (self.name, self.mayChangeOthers) = (name, mayChangeOthers)
    }

    /// True if the client may replace and remove a picture.
    ///
    /// - Parameter owner: the owner of the existing picture; nil without one.
    package func mayChange(_ owner: PictureOwner?) -> Bool {
        guard let owner, !mayChangeOthers, let name else { return true }
        return owner.name == name
    }
}

/// The end of a change of pinned pictures.
package enum PinOutcome: Sendable {
    /// The change is on the disk, and survives a power cut.
    case done
    case refused(PictureStore.Refusal)
    /// The present picture is not the expected one, and nothing happened.
    case isOther
    /// The picture belongs to another client, and nothing happened.
    case isForeign
}
