import Foundation

extension Snippet {
    /// Turns an HTML fragment into a document: in standards mode, with its charset, and with a body without a margin. The
    /// fragment's own style sheets follow. HTML that starts with a doctype or with `<html>` stays unchanged.
    ///
    /// No line is added, so that the line numbers in a script's errors match the fragment.
    public mutating func completeDocument() {
        // XML must have a root element anyway.
        if type != .html { return }
        let mark = Self.marks.first { html.starts(with: $0) }?.count ?? 0
        let start = html.startIndex + mark
        let isWide = charset.lowercased().hasPrefix("utf-16")
        // In UTF-16, every second byte of an ASCII letter is 0.
        if Self.isDocument(isWide ? html[start...].filter { $0 != 0 } : html[start...]) { return }
        let frame =
            "<!doctype html><meta charset=\"\(Template.escaped(charset))\"><style>body { margin: 0 }</style>"
        html.insert(contentsOf: isWide ? wide(frame) : Data(frame.utf8), at: start)
    }

    /// Byte order marks. They must stay at the start.
    private static let marks: [[UInt8]] = [[0xEF, 0xBB, 0xBF], [0xFE, 0xFF], [0xFF, 0xFE]]

    private func wide(_ text: String) -> Data {
        let isBigEndian = charset.lowercased() == "utf-16be"
        return Data(text.utf8.flatMap { isBigEndian ? [0, $0] : [$0, 0] })
    }

    /// True if HTML starts with a doctype or the root element, after white space and comments.
    private static func isDocument(_ html: Data) -> Bool {
        var rest = html
        while true {
            rest = rest.drop(while: Charset.isSpace)
            guard rest.starts(with: Data("<!--".utf8)) else { break }
            guard let end = rest.dropFirst(4).range(of: Data("-->".utf8)) else { return false }
            rest = rest[end.upperBound...]
        }
        let tag = String(decoding: rest.prefix(9), as: UTF8.self).lowercased()
        return tag == "<!doctype"
            || tag.hasPrefix("<html") && ["", ">", " ", "\t", "\n", "\r"].contains(tag.dropFirst(5).prefix(1))
    }
}
