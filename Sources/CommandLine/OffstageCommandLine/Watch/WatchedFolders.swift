import Foundation
import Offstage

/// The folders in which a change can matter.
enum WatchedFolders {
    /// - Parameters:
    ///   - trees: folders in which new files can appear, with all folders below them.
    ///   - files: the files from which pictures are made; a missing file may still appear.
    static func all(trees: [String], files: some Sequence<String>) -> Set<String> {
        var folders: Set<String> = []
        for tree in trees where isFolder(tree) {
            folders.insert(tree)
            guard let walk = FileManager.default.enumerator(atPath: tree) else { continue }
            while let path = walk.nextObject() as? String {
                guard walk.fileAttributes?[.type] as? FileAttributeType == .typeDirectory else { continue }
                // Hidden folders have no inputs, as in `InputList`.
                if (path as NSString).lastPathComponent.hasPrefix(".") {
                    walk.skipDescendants()
                } else {
                    folders.insert((tree as NSString).appendingPathComponent(path))
                }
            }
        }
        let parents = Set(files.map(parentFolder(of:)))
        for parent in parents + trees.map(parentFolder(of:)) {
            var folder = parent
            while !folder.isEmpty, folder != "/", !isFolder(folder) { folder = parentFolder(of: folder) }
            folders.insert(folder.isEmpty ? "." : folder)
        }
        return folders
    }

    private static func isFolder(_ path: String) -> Bool {
        var info = stat()
        return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
    }
}
