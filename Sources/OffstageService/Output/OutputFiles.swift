import Foundation
import Offstage
import OffstageRequests
import Synchronization

/// Where a program's requests put files: below one folder.
package struct OutputFiles: Sendable {
    /// As the user names it.
    private let folder: String
    private let claims = FileClaims()
    private let tree: OutputTree

    package init(below folder: String) {
        self.folder = folder
        tree = OutputTree(below: folder)
    }

    /// The place of a request's files.
    package struct Place: Sendable, Hashable {
        /// The first file's path without its extension.
        fileprivate let stem: String
        /// With its dot; empty where the name has none; nil for the format's own.
        fileprivate let fileExtension: String?

        /// - Parameter part: from 1; nil for a whole picture.
        func paths(_ variants: [ImageVariant], part: Int? = nil) -> [String] {
            let name = stem + (part.map { "-\($0)" } ?? "")
            let first = name + (fileExtension ?? "." + variants[0].format.fileExtension)
            return [first] + variants.dropFirst().map { name + $0.suffix }
        }
    }

    /// The place that an identifier stands for, as a manifest's does.
    func place(identifier: String) -> Place { Place(stem: path(identifier), fileExtension: nil) }

    /// The place that a request names: a path from the folder on, or an absolute one below it.
    ///
    /// - Parameter line: where the request is, for messages.
    package func place(named path: String, at line: String) throws(UsageError) -> Place {
        var path = path
        if path.hasPrefix("/") {
            let root = absolutePath(folder) == "/" ? "/" : absolutePath(folder) + "/"
            guard path.hasPrefix(root) else {
                throw UsageError("\(line): \"output\" is \(path.quoted), which is not below --out \(folder)")
            }
            path = String(path.dropFirst(root.count))
        }
        if let problem = RowIdentifier.problem(path) {
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
    /// - Parameter source: the file that it is drawn from, if it is one.
    package func check(
        _ place: Place, _ variants: [ImageVariant], source: String?, at line: String
    ) throws(UsageError) {
        var names: Set<[UInt8]> = []
        for path in place.paths(variants) {
            if !names.insert(Array(path.utf8)).inserted {
                throw UsageError("\(line): two files would both be \(path); leave one of \"also\" out")
            }
            var (old, new) = (stat(), stat())
            if let source, stat(source, &old) == 0, stat(path, &new) == 0, old.st_dev == new.st_dev,
                old.st_ino == new.st_ino
            {
                throw UsageError("\(line): \(source) would be replaced by its own picture; choose another place for it")
            }
        }
    }

    // MARK: Who comes last

    /// A request under way may write to a place. Of two the later has it in the end, whichever is drawn first.
    package func claim(_ place: Place) {
        claims.state.withLock { $0[place, default: FileClaims.Claim()].requests += 1 }
    }

    /// A request that has claimed the place is over.
    func release(_ place: Place) {
        claims.state.withLock { state in
            state[place]?.requests -= 1
            if state[place]?.requests == 0 { state[place] = nil }
        }
    }

    /// Whether the file is there already. It then counts as put there by the request.
    func holds(_ content: Digest, at path: String, in place: Place, for request: Int) -> Bool {
        claims.lock(for: place).state.withLock { _ in
            guard (try? Digest(ofFile: path)) == content else { return false }
            claims.state.withLock { state in
                let latest = max(request, state[place]?.writer ?? request)
                state[place]?.writer = latest
            }
            return true
        }
    }

    /// Puts a file in its place, unless a later request has put one there.
    ///
    /// - Parameter request: the number of one that has claimed the place; a later one has a higher.
    /// - Returns: whether it is there.
    /// - Throws: `FileError`, and `UsageError` for a symbolic link that leads out of the folder.
    func write(_ data: Data, to path: String, in place: Place, for request: Int) throws -> Bool {
        // Nobody writes to the same place between the look and the end.
        try claims.lock(for: place).state.withLock { _ in
            if let writer = claims.state.withLock({ $0[place]?.writer }), writer > request { return false }
            try tree.write(data, to: path)
            claims.state.withLock { $0[place]?.writer = request }
            return true
        }
    }
}

/// The places of requests under way.
private final class FileClaims: Sendable {
    final class Lock: Sendable { let state = Mutex(()) }

    struct Claim {
        /// Under way.
        var requests = 0
        /// The one that has written; nil for none.
        var writer: Int?
    }

    let state = Mutex<[OutputFiles.Place: Claim]>([:])
    /// Several, so that one file on a slow disk does not hold up all.
    private let locks = (0..<16).map { _ in Lock() }

    func lock(for place: OutputFiles.Place) -> Lock { locks[Int(UInt(bitPattern: place.hashValue) % 16)] }
}
