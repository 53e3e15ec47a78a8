import Offstage

/// A strong validator of a picture's bytes: their digest.
///
/// Not the fingerprint, which says what a picture was made of but for the files beside its document; two pictures of one
/// fingerprint can differ, and two of one tag cannot.
struct EntityTag: Sendable {
    let text: String

    init(_ content: Digest) { text = "\"\(content)\"" }

    /// Whether a list of `If-None-Match` or `If-Match` names it, or any.
    ///
    /// - Parameter isStrong: weak ones do not count (RFC 9110, 8.8.3.2).
    func isNamed(in list: String, isStrong: Bool) -> Bool {
        list.split(separator: ",").contains { one in
            let tag = one.drop { $0 == " " || $0 == "\t" }
            let end = tag.lastIndex { $0 != " " && $0 != "\t" }.map { tag[...$0] } ?? ""
            if end == "*" || end == text { return true }
            return !isStrong && end.hasPrefix("W/") && end.dropFirst(2) == text
        }
    }
}
