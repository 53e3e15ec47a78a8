import COffstageSystem
import Foundation
import Offstage

/// File operations for saving ink.
enum InkFiles {
    /// Creates a file that did not exist, writes it, and waits until it is on the disk.
    ///
    /// The file never has more permissions than the file that it belongs to, because it is created with access for its
    /// owner only.
    ///
    /// - Parameters:
    ///   - model: the path of the file that it belongs to; if it does not exist, the system's defaults apply.
    ///   - isWhole: true for a file that will replace the model: it also gets the model's owner, complete mode and
    ///     extended attributes.
    /// - Returns: a descriptor that reads and appends.
    /// - Throws: EEXIST for a name that is taken.
    static func create(
        _ path: String, _ data: Data, like model: String, isWhole: Bool = false, disk: InkDisk = InkDisk()
    ) throws(FileError) -> Int32 {
        let file = try create(path, like: model, isWhole: isWhole)
        var code = disk.write(data, file)
        if code == 0 { code = disk.synchronize(file) }
        if code == 0 { code = synchronizeFolder(of: path) }
        if code == 0 { return file }
        close(file)
        unlink(path)
        throw FileError("write", path: path, code: code)
    }

    /// Creates an empty file. Fails if it exists.
    static func create(_ path: String, like model: String, isWhole: Bool = false) throws(FileError) -> Int32 {
        var info = stat()
        let hasModel = stat(model, &info) == 0
        let mode = hasModel ? info.st_mode & 0o600 : 0o666
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOFOLLOW, mode)
        guard file >= 0 else { throw FileError("create", path: path, code: errno) }
        if hasModel { apply(info, of: model, to: file, isWhole: isWhole) }
        return file
    }

    /// Gives a file the permissions of another one. If the system does not accept some of them, the file has fewer
    /// permissions.
    private static func apply(_ info: stat, of model: String, to file: Int32, isWhole: Bool) {
        var own = stat()
        guard fstat(file, &own) == 0 else { return }
        if isWhole, own.st_uid != info.st_uid, fchown(file, info.st_uid, info.st_gid) == 0 {
            own.st_gid = info.st_gid
        } else if own.st_gid != info.st_gid, fchown(file, uid_t.max, info.st_gid) == 0 {
            own.st_gid = info.st_gid
        }
        if isWhole { offstage_copy_attributes(model, file) }
        var mode = info.st_mode & (isWhole ? 0o7777 : 0o666)
        // With an access list, the group's mode bits are the list's mask. For another group, they would apply to the
        // wrong group.
        if !offstage_copy_access_list(model, file) || own.st_gid != info.st_gid { mode &= ~0o2070 }
        if own.st_uid != info.st_uid, isWhole, geteuid() != info.st_uid { mode &= ~0o4000 }
        fchmod(file, mode)
    }

    /// Waits until the names in a file's folder are on the disk.
    ///
    /// - Returns: 0, or an `errno`.
    static func synchronizeFolder(of path: String) -> Int32 {
        let folder = parentFolder(of: path)
        let file = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { return errno }
        defer { close(file) }
        return fsync(file) == 0 || errno == EINVAL ? 0 : errno
    }

    /// The bytes of a regular file that is not a link; nil if it does not exist or cannot be read.
    static func read(_ path: String) -> Data? {
        var info = stat()
        guard lstat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return nil }
        return (try? PlainFile.read(path))?.data
    }

    /// True if something has this name, even a dangling link.
    static func exists(_ path: String) -> Bool {
        var info = stat()
        return lstat(path, &info) == 0
    }
}

/// The calls that report full disks and late errors. Replaceable, so that tests can simulate these.
struct InkDisk: Sendable {
    /// Writes all bytes; returns 0 or an `errno`. After an error, some of the bytes may be in the file.
    var write: @Sendable (Data, Int32) -> Int32 = { writeAll($0, to: $1) }
    /// Waits until a file's bytes are on the disk; returns 0 or an `errno`.
    var synchronize: @Sendable (Int32) -> Int32 = { fdatasync($0) == 0 ? 0 : errno }
}
