import COffstageSystem
import Foundation
import Offstage

/// Replaces a file's bytes, completely or not at all.
///
/// A file with several hard links is written in place, so that all of its names have the new bytes. The journals have
/// the old and the new bytes, so that an interrupted write can be finished: see `InkFileOpening`.
struct InkFileReplacement {
    private let names: InkFileNames
    private let data: Data
    private let disk: InkDisk
    /// The new file, which has a temporary name until `finish`; -1 to write in place.
    private let file: Int32
    private let temporary: String

    /// True for a file with several names.
    static func isInPlace(_ names: InkFileNames) -> Bool {
        var info = stat()
        return stat(names.file, &info) == 0 && info.st_nlink > 1
    }

    /// Writes the new file beside the old one. It is on the disk when this returns.
    ///
    /// - Parameter known: the bytes of files in journals. Leftovers from writing one of them are removed.
    init(_ names: InkFileNames, _ data: Data, known: [Data], disk: InkDisk) throws(FileError) {
        (self.names, self.data, self.disk) = (names, data, disk)
        if Self.isInPlace(names) {
            (file, temporary) = (-1, "")
            return
        }
        temporary = try Self.freeName(names.temporary, known + [data])
        file = try InkFiles.create(temporary, data, like: names.file, isWhole: true, disk: disk)
    }

    /// Returns a free name. A file with this name is removed if a killed program left it: its bytes are then the
    /// beginning of a file in a journal. Any other file stays.
    private static func freeName(_ name: String, _ known: [Data]) throws(FileError) -> String {
        for number in 1...9 {
            let path = number == 1 ? name : "\(name)-\(number)"
            if !InkFiles.exists(path) { return path }
            if let left = InkFiles.read(path), known.contains(where: { $0.starts(with: left) }) {
                unlink(path)
                return path
            }
        }
        throw FileError("create", path: name, code: EEXIST)
    }

    /// The new file's device and inode.
    var numbers: (device: UInt64, inode: UInt64) {
        var info = stat()
        if file < 0 { stat(names.file, &info) } else { fstat(file, &info) }
        return (UInt64(info.st_dev), UInt64(info.st_ino))
    }

    /// Gives up, and removes the new file.
    func cancel() {
        if file < 0 { return }
        close(file)
        unlink(temporary)
    }

    /// Replaces the file.
    ///
    /// - Parameters:
    ///   - seen: the last known state of the old file.
    ///   - lock: the lock on the old file. It moves to the new one.
    /// - Returns: nil, unless another program wrote the old file at the last moment. That version is then kept under
    ///   the returned name.
    func finish(_ seen: InkFileSeen, _ lock: InkFileLock?) throws(FileError) -> String? {
        if file < 0 {
            try writeInPlace()
            return nil
        }
        var strange: String?
        if offstage_exchange_names(temporary, names.file) == 0 {
            strange = keepIfStrange(seen)
        } else if rename(temporary, names.file) != 0 {
            let code = errno
            cancel()
            throw FileError("write", path: names.file, code: code)
        }
        let code = InkFiles.synchronizeFolder(of: names.file)
        if let lock { lock.move(to: file) } else { close(file) }
        if code != 0 { throw FileError("write", path: names.file, code: code) }
        return strange
    }

    /// Removes the old file, unless another program wrote it after the last check.
    private func keepIfStrange(_ seen: InkFileSeen) -> String? {
        guard let look = try? seen.look(temporary) else { return temporary }
        guard case .written = look else {
            unlink(temporary)
            return nil
        }
        let name = InkSecondFile.freeName(for: names.file)
        return rename(temporary, name) == 0 ? name : temporary
    }

    private func writeInPlace() throws(FileError) {
        let (old, _) = try PlainFile.read(names.file)
        let target = open(names.file, O_WRONLY | O_CLOEXEC)
        guard target >= 0 else { throw FileError("write", path: names.file, code: errno) }
        defer { close(target) }
        let code = fill(target, data)
        if code == 0 { return }
        // The old bytes already have space on the disk.
        lseek(target, 0, SEEK_SET)
        _ = fill(target, old ?? Data())
        throw FileError("write", path: names.file, code: code)
    }

    private func fill(_ target: Int32, _ data: Data) -> Int32 {
        let code = disk.write(data, target)
        if code != 0 { return code }
        if ftruncate(target, off_t(data.count)) != 0 { return errno }
        return disk.synchronize(target)
    }

    /// True for bytes that an interrupted `writeInPlace` leaves: new ones at the beginning, followed by old ones.
    static func isCutOff(_ data: Data, old: Data, new: Data) -> Bool {
        var same = 0
        for (one, other) in zip(data, new) {
            if one != other { break }
            same += 1
        }
        return data.dropFirst(same).elementsEqual(old.dropFirst(same)) && data.count >= min(old.count, new.count)
    }
}

/// The second file for changes that cannot be merged.
enum InkSecondFile {
    /// `notes (conflict 2026-11-27 16.30.05).xopp`, in the folder of the file.
    static func freeName(for file: String) -> String {
        var now = time(nil)
        var parts = tm()
        localtime_r(&now, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let date =
            "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday)) "
            + "\(two(parts.tm_hour)).\(two(parts.tm_min)).\(two(parts.tm_sec))"
        let folder = parentFolder(of: file)
        let prefix = folder.isEmpty ? "" : folder == "/" ? "/" : folder + "/"
        var name = String(decoding: file.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
        let suffix = (name as NSString).pathExtension
        if !suffix.isEmpty { name = String(name.dropLast(suffix.count + 1)) }
        // Leave space for the date and a number.
        while name.utf8.count > 200 { name.removeLast() }
        // The copy is in Xournal++'s format, whatever the format of the original.
        for number in 1... {
            let path = "\(prefix)\(name) (conflict \(date)\(number == 1 ? "" : " \(number)")).xopp"
            if !InkFiles.exists(path) { return path }
        }
        return file
    }
}
