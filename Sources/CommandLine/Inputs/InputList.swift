import Foundation
import OffstageRequests
import OffstageService

/// Turns the operands of a command line into inputs: files in their order, and the files in folders.
enum InputList {
    /// - Parameter leavingOut: a file to skip when it is found in a folder.
    static func expand(_ operands: [String], leavingOut: String? = nil) throws(UsageError) -> [Input] {
        if operands.filter({ $0 == "-" }).count > 1 { throw UsageError("standard input, -, can be drawn once only") }
        if operands.contains(where: isURL) { throw urlError }
        return operands.flatMap { operand -> [Input] in
            if operand == "-" { return [.standardInput] }
            var info = stat()
            guard stat(operand, &info) == 0 else {
                return [.unusable(path: operand, .unreadable(path: operand, code: errno))]
            }
            if info.st_mode & S_IFMT == S_IFDIR { return search(operand, leavingOut: leavingOut.map(absolutePath)) }
            return [.file(path: operand, identifier: identifier(ofFile: operand))]
        }
    }

    /// The HTML files below a folder, in the order of their paths. Hidden files and folders are skipped, and links to
    /// folders, which could form cycles.
    private static func search(_ folder: String, leavingOut: String?) -> [Input] {
        guard access(folder, R_OK | X_OK) == 0, let walk = FileManager.default.enumerator(atPath: folder) else {
            return [.unusable(path: folder, .unreadable(path: folder, code: errno))]
        }
        var found: [String] = []
        while let path = walk.nextObject() as? String {
            if (path as NSString).lastPathComponent.hasPrefix(".") {
                walk.skipDescendants()
            } else if isHTML(path), !isFolder(folder + "/" + path) {
                found.append(path)
            }
        }
        if let leavingOut { found.removeAll { absolutePath(folder + "/" + $0) == leavingOut } }
        if found.isEmpty { return [.unusable(path: folder, .folderWithoutHTML(path: folder))] }
        found.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let prefix = folder.hasSuffix("/") ? folder : folder + "/"
        return found.map { .file(path: prefix + $0, identifier: withoutExtension($0)) }
    }

    /// Recognizes `https://example.org`, unless a file has that name.
    static func isURL(_ operand: String) -> Bool {
        operand.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.-]*:\/\//) != nil && access(operand, F_OK) != 0
    }

    static let urlError = UsageError("Offstage does not open URLs; curl -sL URL | offstage render - -o page.png")

    /// A file's name without its folder and extension.
    static func identifier(ofFile path: String) -> String {
        withoutExtension((path as NSString).lastPathComponent)
    }

    static func isHTML(_ path: String) -> Bool {
        ["html", "htm"].contains((path as NSString).pathExtension.lowercased())
    }

    private static func isFolder(_ path: String) -> Bool {
        var info = stat()
        return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
    }

    private static func withoutExtension(_ path: String) -> String { (path as NSString).deletingPathExtension }
}
