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
    /// - Parameter isStrong: true to ignore weak tags (RFC 9110, 8.8.3.2).
    func isNamed(in list: String, isStrong: Bool) -> Bool {
        // Works on bytes, because a client can send a long list.
        list.utf8.split(separator: UInt8(ascii: ",")).contains { one in
            let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
            var tag = one.drop(while: isSpace)
            while let last = tag.last, isSpace(last) { tag.removeLast() }
            if tag.elementsEqual("*".utf8) || tag.elementsEqual(text.utf8) { return true }
            return !isStrong && tag.starts(with: "W/".utf8) && tag.dropFirst(2).elementsEqual(text.utf8)
        }
    }
}
