/// Checks the targets of links in untrusted sources, with the same rules as the scripts that read HTML documents.
package enum LinkTarget {
    /// Unicode scalars.
    private static let most = 4_096

    /// The target without the characters that programs ignore in URLs: tabs and line breaks, and spaces and control
    /// characters at both ends. Nil if a program that opens it would run the source's script, or if it is empty or
    /// longer than 4,096 characters.
    package static func harmless(_ target: String) -> String? {
        let scalars = target.unicodeScalars
        guard scalars.count <= most else { return nil }
        func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar <= " " }
        var rest = scalars.filter { !["\t", "\n", "\r"].contains($0) }[...]
        rest = rest.drop(while: isSpace)
        while let last = rest.last, isSpace(last) { rest.removeLast() }
        let text = String(String.UnicodeScalarView(rest))
        return text.isEmpty || runsScript(text.lowercased()) ? nil : text
    }

    private static func runsScript(_ target: String) -> Bool {
        if target.hasPrefix("javascript:") || target.hasPrefix("vbscript:") { return true }
        guard target.hasPrefix("data:") else { return false }
        let type = target.prefix { $0 != "," }
        return ["html", "xml", "svg"].contains { type.contains($0) }
    }
}
