import Foundation
import Synchronization

/// Finished pictures on disk, by key. A picture that was drawn once need not be drawn again, even after a restart.
///
/// Several processes may use a folder at the same time. All calls run on the store's own threads and never throw. A
/// store that cannot be opened (damaged, read-only, disk full, made by a newer version) behaves like an empty one, and
/// reports this once with an event. After a picture is stored, every call in every process finds it. The store checks
/// each picture when it reads it; a picture that differs from what was stored counts as a miss and is removed.
///
/// The store opens nothing before the first call.
public final class PictureStore: Sendable {
    /// The folder.
    public let folder: String
    public var limits: StoreLimits { place.limits }
    /// The database's file in the folder.
    package static let databaseName = "pictures.sqlite"

    let place: StorePlace
    let files: LargeFiles
    let writer: StoreConnection
    let lastUse: LastUse
    let trimming = Mutex(Trimming())
    /// The locks that a process takes to draw pictures that are missing from the store.
    let drawingLocks: DrawingLocks
    private let readers: [StoreConnection]
    private let loads: Mutex<[Int]>

    /// - Parameters:
    ///   - folder: created if it does not exist; default `defaultFolder`.
    ///   - limits: the maximum size and age; default 2 GiB and 90 days.
    ///   - onEvent: called on a thread of the store; it should return quickly.
    public convenience init(
        folder: String = PictureStore.defaultFolder, limits: StoreLimits = StoreLimits(),
        onEvent: (@Sendable (StoreEvent) -> Void)? = nil
    ) {
        self.init(folder: folder, limits: limits, surroundings: StoreSurroundings(), onEvent: onEvent)
    }

    package init(
        folder: String, limits: StoreLimits, surroundings: StoreSurroundings,
        onEvent: (@Sendable (StoreEvent) -> Void)? = nil
    ) {
        self.folder = folder
        let place = StorePlace(folder: folder, limits: limits, surroundings: surroundings, onEvent: onEvent)
        self.place = place
        lastUse = LastUse(resolution: surroundings.useResolution)
        files = LargeFiles(in: folder)
        drawingLocks = DrawingLocks(in: folder)
        writer = StoreConnection(place, name: "writer")
        readers = (1...2).map { StoreConnection(place, name: "reader-\($0)") }
        loads = Mutex(readers.map { _ in 0 })
    }

    /// `offstage` in the folder of XDG_CACHE_HOME, or else in `~/.cache`.
    public static var defaultFolder: String {
        let set = ProcessInfo.processInfo.environment["XDG_CACHE_HOME"] ?? ""
        // Ignore a relative path (XDG base directory specification).
        return (set.hasPrefix("/") ? set : NSHomeDirectory() + "/.cache") + "/offstage"
    }

    /// The number of events since the store was made, in this process.
    public var counters: StoreCounters { place.counters }
    /// False once the store cannot be used.
    public var isAvailable: Bool { !place.isGone }

    /// The reason why other accounts may have written pictures into the folder; nil if only this account can write to
    /// it. Such a store behaves like an empty one.
    package var foreignWriters: String? { StorePlace.foreignWriters(of: folder) }

    /// Reads on the connection with the least work.
    func read<R: Sendable>(
        without: R, _ body: @escaping @Sendable (StoreReader) throws(SQLiteError) -> R
    ) async -> R {
        let index = loads.withLock { loads in
            let index = loads.indices.min { loads[$0] < loads[$1] } ?? 0
            loads[index] += 1
            return index
        }
        defer { loads.withLock { $0[index] -= 1 } }
        let files = files
        return await readers[index].run(without: without) { (database) throws(SQLiteError) in
            try body(StoreReader(database: database, files: files))
        }
    }

    /// Writes the recorded uses, and waits for this and for all earlier calls. For a program that is about to end. The
    /// store remains usable.
    public func finish() async {
        let lastUse = lastUse
        await writer.run(without: (), isUpkeep: true) { (database) throws(SQLiteError) in
            try lastUse.write(to: database)
        }
        place.tellEvictions(isLast: true)
    }
}
