import Foundation
import Synchronization

/// The folder of a store, and the state that its connections share: it controls who may open the database, and knows
/// whether the store can be used.
final class StorePlace: Sendable {
    let folder: String
    let limits: StoreLimits
    let surroundings: StoreSurroundings
    private let onEvent: (@Sendable (StoreEvent) -> Void)?
    /// The renderers that use the store.
    let observers = Listeners<StoreEvent>()
    private let state = Mutex(State())

    private struct State {
        var isGone = false
        var isDiskFull = false
        var isOverFileLimit = false
        var told: Set<StoreWarning.Kind> = []
        var timesPutAside = 0
        var counters = StoreCounters()
        var evictions = EvictionLog()
    }

    init(
        folder: String, limits: StoreLimits, surroundings: StoreSurroundings,
        onEvent: (@Sendable (StoreEvent) -> Void)?
    ) {
        self.folder = folder
        self.limits = limits
        self.surroundings = surroundings
        self.onEvent = onEvent
    }

    /// The number of bytes to leave free. Less on a small disk, on which the store could otherwise not store anything.
    var reserve: Int { limits.freeBytes ?? min(512 << 20, (surroundings.diskBytes(folder) ?? .max) / 10) }

    var databasePath: String { folder + "/" + PictureStore.databaseName }
    var asidePath: String { folder + "/pictures.damaged.sqlite" }
    private var lockPath: String { folder + "/lock" }

    /// Bytes of the database on the disk, including its log.
    var databaseBytes: Int {
        ["", "-wal", "-shm"].reduce(0) { sum, end in
            var info = stat()
            return stat(databasePath + end, &info) == 0 ? sum + Int(info.st_size) : sum
        }
    }

    /// True once the store cannot be used: it behaves like an empty one.
    var isGone: Bool { state.withLock { $0.isGone } }
    /// True if the last failure was a full disk.
    var isDiskFull: Bool {
        get { state.withLock { $0.isDiskFull } }
        set { state.withLock { $0.isDiskFull = newValue } }
    }
    /// True if a file would have exceeded the process's limit of file sizes.
    var isOverFileLimit: Bool {
        get { state.withLock { $0.isOverFileLimit } }
        set { state.withLock { $0.isOverFileLimit = newValue } }
    }
    var counters: StoreCounters { state.withLock { $0.counters } }

    func count(_ change: (inout StoreCounters) -> Void) { state.withLock { change(&$0.counters) } }

    func tell(_ event: StoreEvent) {
        onEvent?(event)
        observers.tell(event)
    }

    /// Counts and reports pictures that were removed because of the limits.
    func evicted(_ keys: [PictureKey], _ bytes: Int, _ reason: StoreEvictions.Reason?) {
        if keys.isEmpty { return }
        state.withLock { state in
            state.counters.evicted += keys.count
            state.counters.evictedBytes += bytes
            if let reason { state.evictions.add(keys.count, bytes, reason) }
        }
        for key in keys { tell(.evicted(key)) }
    }

    /// Reports the removed pictures, unless it has done so in the last minute.
    ///
    /// - Parameter isLast: true to report them in any case.
    func tellEvictions(isLast: Bool = false) {
        let now = surroundings.now()
        for one in state.withLock({ $0.evictions.take(now, isLast: isLast, folder) }) { tell(.gaveWay(one)) }
    }

    func warn(_ kind: StoreWarning.Kind, path: String? = nil, _ reason: String) {
        let isNew = state.withLock { state in
            if kind == .unavailable || kind == .newerSchema { state.isGone = true }
            return state.told.insert(kind).inserted
        }
        if isNew { tell(.warning(StoreWarning(kind: kind, path: path ?? folder, reason: reason))) }
    }
}

extension StorePlace {
    /// The identity of the current database file. A file that replaces it after it was put aside or removed has another
    /// identity.
    func databaseFile() -> FileNumber? { FileNumber(databasePath) }

    /// The reason why other accounts may have written pictures into the folder; nil if only this account can write to
    /// it, or if it does not exist.
    static func foreignWriters(of folder: String) -> String? {
        var info = stat()
        guard stat(folder, &info) == 0 else { return nil }
        if info.st_uid != geteuid(), info.st_uid != 0 { return "it belongs to another account; choose another folder" }
        return info.st_mode & 0o022 == 0
            ? nil : "other accounts can write to it; `chmod go-w` it, or choose another folder"
    }

    /// Opens the database. If necessary, creates it, upgrades it or puts a damaged one aside.
    ///
    /// - Returns: nil if the store cannot be used, which has then been reported.
    func open() -> Database? {
        if isGone { return nil }
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            let code = ((error as? CocoaError)?.underlying as? POSIXError)?.code.rawValue
            // Something other than a folder has this name.
            let reason = code.map { String(cString: strerror($0 == EEXIST ? ENOTDIR : $0)) }
            warn(.unavailable, reason ?? "the folder cannot be created")
            return nil
        }
        for path in [folder, databasePath] {
            guard let foreignWriters = Self.foreignWriters(of: path) else { continue }
            warn(.unavailable, path: path, foreignWriters)
            return nil
        }
        do throws(FileError) {
            // While a connection is being opened, no process may put the file aside: its log and its index are opened
            // by name.
            if let database = try openCurrent() { return database }
            let lock = try FolderLock(lockPath, .exclusive, patience: surroundings.patience)
            defer { withExtendedLifetime(lock) {} }
            return openAny()
        } catch {
            warn(.unavailable, "\(error)")
            return nil
        }
    }

    /// Only this account may read the pictures, even in a folder that others can read. SQLite makes its log with the
    /// database's mode. Change the mode by path: closing a descriptor of the file would release SQLite's locks.
    private func closeToOthers() {
        for path in [databasePath, databasePath + "-wal", databasePath + "-shm"] {
            var info = stat()
            guard lstat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG, info.st_mode & 0o077 != 0 else { continue }
            chmod(path, info.st_mode & 0o700)
        }
    }

    /// The usual case, which delays no other process.
    private func openCurrent() throws(FileError) -> Database? {
        let lock = try FolderLock(lockPath, .shared, patience: surroundings.patience)
        defer { withExtendedLifetime(lock) {} }
        do throws(SQLiteError) {
            let database = try Database(path: databasePath, creates: false, patience: surroundings.patience)
            closeToOthers()
            guard case .current = try StoreSchema.state(of: database) else { return nil }
            try database.execute(StoreSchema.settings)
            // Opens the log and its index, by name, while the lock is held.
            _ = try database.number("SELECT count(*) FROM sqlite_schema")
            return database
        } catch {
            return nil
        }
    }

    /// Call this with the exclusive lock.
    private func openAny() -> Database? {
        // The second time, there is a new file.
        for _ in 0..<2 {
            do throws(SQLiteError) {
                let database = try Database(path: databasePath, creates: true, patience: surroundings.patience)
                closeToOthers()
                switch try StoreSchema.state(of: database) {
                case .empty: try StoreSchema.bring(database, from: 0)
                case .older(let version): try StoreSchema.bring(database, from: version)
                case .current: try database.execute(StoreSchema.settings)
                case .newer(let version):
                    warn(
                        .newerSchema,
                        "it has version \(version), made by a newer program; this one supports "
                            + "\(StoreSchema.version)")
                    return nil
                case .foreign:
                    moveAside("its tables are not those of a cache")
                    continue
                }
                return database
            } catch {
                guard error.isDamage else {
                    warn(.unavailable, "\(error)")
                    return nil
                }
                moveAside("\(error)")
            }
        }
        warn(.unavailable, "it cannot be replaced by a new one")
        return nil
    }

    /// Puts a damaged database aside, unless another process has already done so and `file` is no longer the current
    /// one.
    func putAside(_ file: FileNumber, _ error: SQLiteError) {
        let times = state.withLock { state in
            state.timesPutAside += 1
            return state.timesPutAside
        }
        if times > 3 { return warn(.unavailable, "it was damaged repeatedly: \(error)") }
        do throws(FileError) {
            let lock = try FolderLock(lockPath, .exclusive, patience: surroundings.patience)
            defer { withExtendedLifetime(lock) {} }
            if databaseFile() == file { moveAside("\(error)") }
        } catch {
            warn(.unavailable, "\(error)")
        }
    }

    /// Call it with the exclusive lock. Connections that have the file open can still use it and its log through their
    /// descriptors, and never remove these files by name.
    private func moveAside(_ reason: String) {
        for end in ["-wal", "-shm", ""] {
            if rename(databasePath + end, asidePath + end) != 0, errno == ENOENT { unlink(asidePath + end) }
        }
        if databaseFile() != nil { return warn(.unavailable, "it is damaged and cannot be put aside: \(reason)") }
        let saved = StoreSalvage(from: asidePath, to: databasePath, LargeFiles(in: folder)).run()
        let rest =
            saved == 0
            ? "" : "; \(saved) \(saved == 1 ? "picture" : "pictures") that clients stored with PUT were saved"
        warn(.putAside, path: asidePath, reason + rest)
    }

    /// Removes the database with everything in it. Other processes also start a new one.
    func removeDatabase() throws(FileError) {
        let lock = try FolderLock(lockPath, .exclusive, patience: surroundings.patience)
        defer { withExtendedLifetime(lock) {} }
        for path in [databasePath, asidePath] {
            for end in ["", "-wal", "-shm"] where unlink(path + end) != 0 && errno != ENOENT {
                throw FileError("remove", path: path + end, code: errno)
            }
        }
    }
}
