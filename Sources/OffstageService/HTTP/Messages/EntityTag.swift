import Offstage

/// A strong validator of a picture's bytes: their digest.
///
/// It is not the fingerprint, which does not cover the files that a document loads: two pictures with the same fingerprint can
/// differ, and two with the same tag cannot.
struct EntityTag: Sendable {
    let text: String

    init(_ content: Digest) { text = "\"\(content)\"" }

    /// True if a list of `If-None-Match` or `If-Match` has this tag or `*`.
    ///
    /// - Parameter isStrong: ignores weak tags (RFC 9110, 8.8.3.2).
    func isNamed(in list: String, isStrong: Bool) -> Bool {
        list.split(separator: ",").contains { one in
            let tag = one.drop { $0 == " " || $0 == "\t" }
            let end = tag.lastIndex { $0 != " " && $0 != "\t" }.map { tag[...$0] } ?? ""
            if end == "*" || end == text { return true }
            return !isStrong && end.hasPrefix("W/") && end.dropFirst(2) == text
        }
    }
}
