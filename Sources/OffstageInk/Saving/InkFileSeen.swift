import Foundation
import Offstage

/// The state in which a file was last seen. Shows if another program has written it since.
struct InkFileSeen: Sendable {
    enum Look {
        /// Nobody has written it, or it is gone: nothing in it can be lost.
        case same
        /// Its bytes are others.
        case written(Data, InkFileSeen)
    }

    let digest: Digest
    /// Its device and inode, 0 for a file that does not exist.
    let device: UInt64
    let inode: UInt64
    private let size: Int
    private let changed: timespec
    /// When this was noted.
    private let noted: timespec

    /// - Parameters:
    ///   - path: of the file, just read or written; it may not exist.
    ///   - digest: of its bytes.
    init(_ path: String, _ digest: Digest) {
        self.digest = digest
        var (info, now) = (stat(), timespec())
        let exists = stat(path, &info) == 0
        clock_gettime(CLOCK_REALTIME, &now)
        (device, inode) = exists ? (UInt64(info.st_dev), UInt64(info.st_ino)) : (0, 0)
        (size, changed, noted) = (exists ? Int(info.st_size) : 0, info.st_mtim, now)
    }

    /// Looks at the file again: at its size, time and inode first, and at its bytes only if these differ or are too new to count. A write
    /// within the clock's grain, a few milliseconds, leaves the same time.
    ///
    /// A program that writes after this look and before the file is replaced is not noticed here: `InkFileReplacement` then finds that it
    /// took away another file than this one, and keeps it. A program that has the old file open all the time, and writes into it after it
    /// was replaced, writes into a file without a name; that race remains.
    func look(_ path: String) throws(FileError) -> Look {
        var info = stat()
        if stat(path, &info) != 0 {
            if errno == ENOENT { return .same }
            throw FileError("read", path: path, code: errno)
        }
        if isSame(info) { return .same }
        let (data, _) = try PlainFile.read(path)
        guard let data, !data.isEmpty, Digest(of: data) != digest else { return .same }
        return .written(data, InkFileSeen(path, Digest(of: data)))
    }

    /// True for a file that has certainly not been written.
    func isSame(_ info: stat) -> Bool {
        UInt64(info.st_dev) == device && UInt64(info.st_ino) == inode && Int(info.st_size) == size
            && info.st_mtim.tv_sec == changed.tv_sec && info.st_mtim.tv_nsec == changed.tv_nsec
            && noted.tv_sec - changed.tv_sec > 1
    }
}
