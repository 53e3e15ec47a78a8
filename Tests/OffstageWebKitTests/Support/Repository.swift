import Foundation

/// Paths in the repository.
enum Repository {
    static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path
    static let root = URL(fileURLWithPath: tests).deletingLastPathComponent().deletingLastPathComponent().path
    static let snippets = root + "/Snippets"
    static let fonts = snippets + "/assets/fonts"

    /// The HTML files below a folder, sorted.
    static func documents(below folder: String) -> [String] {
        let all = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return all.filter { $0.hasSuffix(".html") || $0.hasSuffix(".htm") }.sorted().map { folder + "/" + $0 }
    }
}
