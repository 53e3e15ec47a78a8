/// Identifiers from a file of rows. Untrusted. Each becomes a path below the output folder, so it must not escape from
/// the folder or contain control characters.
package enum RowIdentifier {
    /// The maximum number of bytes of an identifier that is only used as a path below a folder, in a file of rows:
    /// Linux's limit for paths.
    package static let longestPath = 4096

    /// The row's identifier.
    ///
    /// - Parameters:
    ///   - place: the row, for the message.
    ///   - limit: the maximum number of bytes; by default the limit for clients of a service, where identifiers are
    ///     repeated in events and results, and stored as keys.
    package static func read(
        _ row: [String: JSONValue], at place: String, limit: Int = JSONLimits.nameBytes
    ) throws(UsageError) -> String {
        guard let value = row["identifier"] else {
            let other = ["id", "ID", "Id"].first { row[$0] != nil }
            let remedy = other.map { "rename \($0.quoted) to \"identifier\"" } ?? "give each row a unique one"
            throw UsageError("\(place): there is no \"identifier\"; \(remedy)")
        }
        guard case .text(let identifier) = value else {
            throw UsageError("\(place): \"identifier\" takes text, not \(value.shown)")
        }
        if let problem = problem(identifier, limit: limit) {
            throw UsageError("\(place): the identifier \(identifier.quoted) \(problem)")
        }
        return identifier
    }

    /// The name of a row in messages: its location, and its identifier if that is valid.
    package static func name(
        of row: [String: JSONValue], at place: String, limit: Int = JSONLimits.nameBytes
    ) -> String {
        valid(of: row, limit: limit).map { name(of: $0, at: place) } ?? place
    }

    package static func name(of identifier: String, at place: String) -> String { "\(place) \(identifier.quoted)" }

    /// The row's identifier, if it is valid.
    package static func valid(of row: [String: JSONValue], limit: Int = JSONLimits.nameBytes) -> String? {
        guard case .text(let identifier)? = row["identifier"], problem(identifier, limit: limit) == nil else {
            return nil
        }
        return identifier
    }

    /// The reason why a text cannot be a path below a folder, as the end of a sentence; nil if it can.
    package static func problem(_ identifier: String, limit: Int) -> String? {
        if identifier.isEmpty { return "is empty; give it a name" }
        if identifier.utf8.count > limit { return "has more than \(limit) bytes; shorten it" }
        if identifier.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            return "contains a control character; leave it out"
        }
        if identifier.utf8.first == UInt8(ascii: "/") {
            return "begins with a slash, but names a path below --out; remove the slash"
        }
        let parts = identifier.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        if parts.contains(where: \.isEmpty) {
            return "has an empty part between or after slashes; remove the extra slash"
        }
        if parts.contains(where: { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }) {
            return "contains . or .. as a part of its path; remove it"
        }
        if parts.contains(where: { $0.count > 255 }) { return "has a part of more than 255 bytes; shorten it" }
        return nil
    }
}
