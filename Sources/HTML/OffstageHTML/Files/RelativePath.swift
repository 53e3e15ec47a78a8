/// The path of a URL of the base folder's scheme.
package enum RelativePath {
    /// Replaces the backslashes in a URL's path with slashes, as browsers do for files and the web. WebKit does so only
    /// for the standard's schemes. Also resolves the `.` and `..` that WebKit leaves after a backslash. An escaped
    /// backslash, `%5C`, stays a part of a name.
    ///
    /// - Parameter root: the URL of the base folder, with which `url` begins. No `..` can lead above it.
    package static func slashed(_ url: String, below root: String) -> String {
        guard url.hasPrefix(root), url.utf8.contains(UInt8(ascii: "\\")) else { return url }
        let rest = url.dropFirst(root.count)
        let path = rest.prefix { $0 != "?" && $0 != "#" }
        var names: [Substring] = []
        let all = path.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }
        for (index, name) in all.enumerated() {
            switch name.lowercased().replacing("%2e", with: ".") {
            case ".": if index == all.count - 1 { names.append("") }
            case "..":
                // Skip the empty name before the first slash.
                if names.count > (path.hasPrefix("/") ? 1 : 0) { names.removeLast() }
                if index == all.count - 1 { names.append("") }
            default: names.append(name)
            }
        }
        return root + names.joined(separator: "/") + rest.dropFirst(path.count)
    }
}
