import Foundation
import Synchronization

/// Finished pictures on the disk, by key: what was drawn once is not drawn again, not after a restart either.
///
/// Several processes may use a folder at once. All calls work on threads of the store's own and never throw: a store that
/// cannot be opened (damaged, read-only, full disk, made by a newer version) behaves as one that is always empty, and says
/// so once by an event. What was stored is found from then on, by every call in every process. Each picture is checked
/// when it is read: one that is not what was stored counts as a miss and is removed.
///
/// Nothing is opened before the first call.
public final class ImageStore: Sendable {
    /// The folder.
    public let folder: String
    public var limits: StoreLimits { place.limits }

    let place: StorePlace
    let files: LargeFiles
    let writer: StoreConnection
    let lastUse: LastUse
    let trimming = Mutex(Trimming())
    /// For those who draw what is not here yet.
    let drawingLocks: DrawingLocks
    private let readers: [StoreConnection]
    private let loads: Mutex<[Int]>

    /// - Parameters:
    ///   - folder: made where there is none; default `defaultFolder`.
    ///   - limits: how much is kept, and for how long; default 2 GiB and 90 days.
    ///   - onEvent: on a thread of the store's; it should be quick.
    public convenience init(
        folder: String = ImageStore.defaultFolder, limits: StoreLimits = StoreLimits(),
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

    /// `offstage` in the folder that XDG_CACHE_HOME names, else in `~/.cache`.
    public static var defaultFolder: String {
        let set = ProcessInfo.processInfo.environment["XDG_CACHE_HOME"] ?? ""
        // One that is not absolute does not count (XDG base directory specification).
        return (set.hasPrefix("/") ? set : NSHomeDirectory() + "/.cache") + "/offstage"
    }

    /// What happened since the store was made, in this process.
    public var counters: StoreCounters { place.counters }
    /// False once the store is gone without.
    public var isAvailable: Bool { !place.isGone }

    /// Why pictures in the folder may be somebody else's; nil where only this account can write to it. Such a store behaves as an
    /// empty one.
    package var foreignWriters: String? { StorePlace.foreignWriters(of: folder) }

    /// Reads on the connection that has least to do.
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

    /// Writes down what was used, and waits for that and for all that was asked for before. For a program that is about to
    /// end; the store can be used on.
    public func finish() async {
        let lastUse = lastUse
        await writer.run(without: ()) { (database) throws(SQLiteError) in
            try lastUse.write(to: database)
        }
    }
}
