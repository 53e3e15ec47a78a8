import Foundation
import Offstage

/// The state in which a file was last seen, to find out if another program has written it since.
struct InkFileSeen: Sendable {
    enum Look {
        /// The file was not written, or no longer exists, so nothing in it can be lost.
        case same
        /// Its bytes have changed.
        case written(Data, InkFileSeen)
    }

    let digest: Digest
    /// Its device and inode, 0 for a file that does not exist.
    let device: UInt64
    let inode: UInt64
    private let size: Int
    private let changed: timespec
    /// The time of this observation.
    private let noted: timespec

    /// - Parameters:
    ///   - path: the path of the file that was just read or written. It may not exist.
    ///   - digest: the digest of its bytes.
    init(_ path: String, _ digest: Digest) {
        self.digest = digest
        var (info, now) = (stat(), timespec())
        let exists = stat(path, &info) == 0
        clock_gettime(CLOCK_REALTIME, &now)
        (device, inode) = exists ? (UInt64(info.st_dev), UInt64(info.st_ino)) : (0, 0)
        (size, changed, noted) = (exists ? Int(info.st_size) : 0, info.st_mtim, now)
    }

    /// Checks the file again. Compares its size, time and inode first, and its bytes only if these differ or are too
    /// recent to be reliable: a second write within the clock's resolution, a few milliseconds, leaves the same time.
    ///
    /// This cannot detect a program that writes after the check and before the file is replaced; `InkFileReplacement`
    /// detects that it has replaced a different file, and keeps that file. One race remains: a program that has the old
    /// file open and writes into it after it was replaced writes into a file without a name.
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

    /// True if the file has certainly not been written since.
    func isSame(_ info: stat) -> Bool {
        UInt64(info.st_dev) == device && UInt64(info.st_ino) == inode && Int(info.st_size) == size
            && info.st_mtim.tv_sec == changed.tv_sec && info.st_mtim.tv_nsec == changed.tv_nsec
            && noted.tv_sec - changed.tv_sec > 1
    }
}
