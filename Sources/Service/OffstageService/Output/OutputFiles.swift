import Foundation
import Offstage
import OffstageRequests
import Synchronization

/// The files of a program's requests, below one folder.
package final class OutputFiles: Sendable {
    /// The folder as the user wrote it.
    private let folder: String
    /// The locations of requests in progress, with the number of these requests.
    private let claims = Mutex<[Place: (claim: Claim, requests: Int)]>([:])
    private let tree: OutputTree

    package init(below folder: String) {
        self.folder = folder
        tree = OutputTree(below: folder)
    }

    /// The location of a request's files.
    package struct Place: Sendable, Hashable {
        /// The first file's path without its extension.
        fileprivate let stem: String
        /// The extension with its dot; empty if the name has none; nil for the format's extension.
        fileprivate let fileExtension: String?

        /// The path, if the request named it with its extension.
        var path: String { stem + (fileExtension ?? "") }

        /// - Parameter part: from 1; nil for a whole picture.
        func paths(_ variants: [FileVariant], part: Int? = nil) -> [String] {
            let name = stem + (part.map { "-\($0)" } ?? "")
            let first = name + (fileExtension ?? "." + variants[0].format.fileExtension)
            return [first] + variants.dropFirst().map { name + $0.suffix }
        }
    }

    /// The location for an identifier, as in a manifest.
    func place(identifier: String) -> Place { Place(stem: path(identifier), fileExtension: nil) }

    /// The location that a request names: a path relative to the folder, or an absolute path below it.
    ///
    /// - Parameter line: the request's location, for messages.
    package func place(named path: String, at line: String) throws(UsageError) -> Place {
        var path = path
        if path.utf8.count > RowIdentifier.longestPath {
            throw UsageError("\(line): \"output\" has more than \(RowIdentifier.longestPath) bytes; shorten it")
        }
        if path.hasPrefix("/") {
            let root = absolutePath(folder) == "/" ? "/" : absolutePath(folder) + "/"
            guard path.hasPrefix(root) else {
                throw UsageError("\(line): \"output\" is \(path.quoted), which is not below --out \(folder)")
            }
            path = String(path.dropFirst(root.count))
        }
        if let problem = RowIdentifier.problem(path, limit: RowIdentifier.longestPath) {
            throw UsageError("\(line): \"output\" is \(path.quoted), which \(problem)")
        }
        let fileExtension = (path as NSString).pathExtension
        if fileExtension.isEmpty { return Place(stem: self.path(path), fileExtension: "") }
        return Place(
            stem: self.path(String(path.dropLast(fileExtension.count + 1))), fileExtension: "." + fileExtension)
    }

    private func path(_ name: String) -> String { (folder as NSString).appendingPathComponent(name) }

    /// Checks the names of a request's files.
    ///
    /// - Parameter sources: the files of the document and of the options. No picture may replace one of them.
    package func check(
        _ place: Place, _ variants: [FileVariant], sources: [String], at line: String
    ) throws(UsageError) {
        var names: Set<[UInt8]> = []
        for path in place.paths(variants) {
            if !names.insert(Array(path.utf8)).inserted {
                throw UsageError("\(line): two files would have the path \(path); leave one of \"also\" out")
            }
            guard let file = FileNumber(path), let source = sources.first(where: { FileNumber($0) == file }) else {
                continue
            }
            throw UsageError(
                "\(line): \(source) would be replaced by its own picture; choose another path for the picture")
        }
    }

    // MARK: The last writer

    /// A location that requests in progress may write to.
    private final class Claim: Sendable {
        /// The last request that has written. The lock is held during a write.
        let writer = Mutex<Int?>(nil)
    }

    /// Announces a request that may write to a location. If two requests claim the same location, the later one wins,
    /// regardless of the order in which they are drawn.
    package func claim(_ place: Place) {
        claims.withLock { $0[place, default: (Claim(), 0)].requests += 1 }
    }

    /// Ends a request's claim.
    func release(_ place: Place) {
        claims.withLock { state in
            state[place]?.requests -= 1
            if state[place]?.requests == 0 { state[place] = nil }
        }
    }

    /// Finds the claim of a request in progress.
    private func claimed(_ place: Place) -> Claim { claims.withLock { $0[place]?.claim } ?? Claim() }

    /// True if the file already has this content. It then counts as written by the request.
    func holds(_ content: Digest, at path: String, in place: Place, for request: Int) -> Bool {
        claimed(place).writer.withLock { writer in
            guard (try? Digest(ofFile: path)) == content else { return false }
            writer = max(request, writer ?? request)
            return true
        }
    }

    /// Writes a file, unless a later request has written it.
    ///
    /// - Parameter request: the number of a request that has claimed the location; later requests have higher numbers.
    /// - Returns: false if a later request has written the file.
    /// - Throws: `FileError`, and `UsageError` for a symbolic link that leads out of the folder.
    func write(_ data: Data, to path: String, in place: Place, for request: Int) throws -> Bool {
        try claimed(place).writer.withLock { writer in
            if let writer, writer > request { return false }
            try tree.write(data, to: path)
            writer = request
            return true
        }
    }
}
