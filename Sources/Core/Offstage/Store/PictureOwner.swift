/// The owner of a pinned picture: the client that stored it with PUT.
package struct PictureOwner: Sendable, Hashable {
    /// Nil for a picture that was stored with PUT while the service had no tokens.
    package var name: String?

    package init(name: String?) { self.name = name }
}

/// A client that changes pinned pictures.
package struct PinningClient: Sendable, Hashable {
    /// Nil if the service has no tokens: everyone who can reach it has the same rights.
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

/// The result of a change to pinned pictures.
package enum PinOutcome: Sendable {
    /// The change is on the disk, and survives a power cut.
    case done
    case refused(PictureStore.Refusal)
    /// The current picture is not the expected one. Nothing was changed.
    case isOther
    /// The picture belongs to another client. Nothing was changed.
    case isForeign
}
