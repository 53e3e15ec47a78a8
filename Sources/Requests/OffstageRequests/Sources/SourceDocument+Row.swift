import Foundation

extension SourceDocument {
    /// The document of a row or request: its text, or the `file` that it names.
    ///
    /// - Parameters:
    ///   - place: the row, for messages.
    ///   - folder: the folder for a relative path; nil for the working folder.
    package init(_ row: [String: JSONValue], at place: String, folder: String?) throws(UsageError) {
        let texts = SourceRegistry.all.filter { $0.textKey.map { row[$0] != nil } ?? false }
        let keys = texts.compactMap(\.textKey) + (row["file"] == nil ? [] : ["file"])
        guard keys.count == 1 else {
            let names = (keys.isEmpty ? SourceRegistry.contentKeys : keys).map { "\"\($0)\"" }
            throw UsageError(
                keys.isEmpty
                    ? "\(place): there is neither \(names.formatted("nor")); give one of them"
                    : "\(place): \(names.formatted("and")) cannot be combined; use one")
        }
        guard case .text(let text)? = row[keys[0]] else {
            throw UsageError("\(place): \(keys[0].quoted) takes text, not \(row[keys[0]]!.kindName)")
        }
        if let source = texts.first {
            if let charset = row["charset"], charset != .null {
                throw UsageError(
                    "\(place): \"charset\" applies to a \"file\"; the text of \(keys[0].quoted) is Unicode")
            }
            self.init(.text(text), of: source, name: place, folder: folder)
        } else {
            if text.isEmpty || text.utf8.contains(0) {
                throw UsageError("\(place): \"file\" needs the path of a file, not \(text.quoted)")
            }
            let isRelative = folder != nil && !text.hasPrefix("/")
            self.init(file: isRelative ? (folder! as NSString).appendingPathComponent(text) : text)
        }
    }
}
