import OffstageRequests

/// The operations and identifiers that a client of a service may use.
package struct ClientRights: Sendable, Hashable {
    package enum Right: String, CaseIterable, Sendable {
        /// Request pictures, peaks, batches and prefetches, and GET pictures.
        case draw
        /// PUT pictures under identifiers that no other client's picture has, and replace and remove these.
        case put
        /// Replace and remove the pictures of others.
        case delete
        /// See the events and the status page, which show the drawings of others.
        case events
        /// Suspend and resume the queue for all clients.
        case suspend
    }

    private var rights: Set<Right>
    /// The identifiers that the client names begin with these bytes; empty for any.
    package private(set) var prefix = ""

    private init(_ rights: Set<Right>) { self.rights = rights }

    /// All rights, for an operator and for each client of a service without tokens.
    package static let all = ClientRights(Set(Right.allCases))
    /// The rights of a token whose line does not name any.
    package static let usual = ClientRights([.draw, .put])

    /// - Parameter text: `all`, or rights separated by commas.
    /// - Returns: nil for anything else.
    init?(_ text: String) {
        if text == "all" {
            self = .all
            return
        }
        self.init([])
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let right = Right(rawValue: String(word)), rights.insert(right).inserted else { return nil }
        }
    }

    static let kinds = (Right.allCases.map(\.rawValue)).formatted("and") + ", with commas between them, or all"

    /// These rights for identifiers with a prefix.
    ///
    /// - Returns: nil if no identifier can begin like this.
    func limited(to prefix: String) -> ClientRights? {
        if prefix.isEmpty || RowIdentifier.problem(prefix + "x", limit: JSONLimits.nameBytes) != nil { return nil }
        var limited = self
        limited.prefix = prefix
        return limited
    }

    package func allows(_ right: Right) -> Bool { rights.contains(right) }

    /// True if the client may name an identifier. Compares bytes, because prefixes of Swift strings end between
    /// characters.
    package func allows(identifier: String) -> Bool { identifier.utf8.starts(with: prefix.utf8) }

    /// - Parameter place: the request, for the message.
    package func check(_ right: Right, at place: String) throws(NotAllowed) {
        if allows(right) { return }
        throw NotAllowed(
            description: "\(place): this client has no right to \(right.action); "
                + "the service's operator can grant it with rights=\(right.rawValue) in the token file")
    }

    /// - Parameters:
    ///   - identifier: nil for a request without one.
    ///   - place: the request, for the message.
    package func check(identifier: String?, at place: String) throws(NotAllowed) {
        guard let identifier, !allows(identifier: identifier) else { return }
        throw NotAllowed(
            description:
                "\(place): this client's identifiers must begin with \(prefix.quoted), and \(identifier.quoted) does not"
        )
    }
}

extension ClientRights.Right {
    /// The end of a sentence.
    fileprivate var action: String {
        switch self {
        case .draw: "request pictures"
        case .put: "PUT pictures"
        case .delete: "replace or remove the pictures of others"
        case .events: "see the events and the status page"
        case .suspend: "suspend and resume the queue"
        }
    }
}

/// The error for a request that the client has no right to make.
package struct NotAllowed: Error, Sendable, CustomStringConvertible {
    /// The problem and the remedy.
    package let description: String
}
