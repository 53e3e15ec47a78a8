/// The folder of a path's last part: `a` for `a/b`; an empty string, the working folder, for `b`.
///
/// Foundation's `deletingLastPathComponent` on Linux ends the program if the path is one character long. This function
/// compares bytes, as the system does: in a Swift string, a slash followed by a combining mark is not a slash.
package func parentFolder(of path: String) -> String {
    func withoutSlashes(_ text: Substring.UTF8View) -> Substring.UTF8View {
        var text = text
        while text.count > 1, text.last == UInt8(ascii: "/") { text.removeLast() }
        return text
    }
    let path = Substring(path).utf8
    guard let slash = withoutSlashes(path).lastIndex(of: UInt8(ascii: "/")) else { return "" }
    return String(Substring(withoutSlashes(path[...slash])))
}
