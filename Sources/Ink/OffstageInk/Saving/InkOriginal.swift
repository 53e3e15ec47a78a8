import Foundation
import Offstage

/// Copies of files that are about to be rewritten.
package enum InkOriginal {
    /// Copies a file to `NAME.original`, or to the next free name with a number. Not a hard link, which would change if
    /// a program writes the file in place.
    ///
    /// - Parameter path: the file's path; a symbolic link is followed.
    /// - Returns: the name of the copy, which is on the disk.
    package static func keep(_ path: String) throws(FileError) -> String {
        let (data, _) = try PlainFile.read(path)
        for number in 1...1000 {
            let name = number == 1 ? "\(path).original" : "\(path).original-\(number)"
            do throws(FileError) {
                close(try InkFiles.create(name, data ?? Data(), like: path, isWhole: true))
                return name
            } catch {
                if error.code != EEXIST { throw error }
            }
        }
        throw FileError("create", path: "\(path).original", code: EEXIST)
    }
}
