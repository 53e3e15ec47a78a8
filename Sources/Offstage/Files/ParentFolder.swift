/// The folder that a path's last part is in: `a` for `a/b`, an empty string, the working folder, for `b`.
///
/// Foundation's `deletingLastPathComponent` on Linux ends the program where the path is one character long.
package func parentFolder(of path: String) -> String {
    let path = Substring(path)
    func withoutSlashes(_ text: Substring) -> Substring {
        var text = text
        while text.count > 1, text.last == "/" { text.removeLast() }
        return text
    }
    guard let slash = withoutSlashes(path).lastIndex(of: "/") else { return "" }
    return String(withoutSlashes(path[...slash]))
}
