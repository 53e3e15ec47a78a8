import CSQLite
import Foundation
import Synchronization

@testable import Offstage

/// A store in its own folder, its events, and a clock that advances by a second at each reading.
struct TestStore {
    let folder: TemporaryFolder
    let events = Events()

    init() throws { folder = try TemporaryFolder() }

    var path: String { folder.file("cache") }
    var databasePath: String { path + "/pictures.sqlite" }

    /// A store as another process would open it.
    ///
    /// - Parameters:
    ///   - disk: the size of the disk.
    ///   - free: free bytes on the disk.
    func open(
        limits: StoreLimits = StoreLimits(freeBytes: 0), clock: TestClock = TestClock(), disk: Int = 1 << 50,
        free: @escaping @Sendable () -> Int = { .max }
    ) -> PictureStore {
        var surroundings = StoreSurroundings()
        surroundings.now = { clock.next() }
        surroundings.freeBytes = { _ in free() }
        surroundings.diskBytes = { _ in disk }
        surroundings.useResolution = 0
        // Used pictures are recorded only when the test asks for it.
        surroundings.useDelay = 3600
        let events = events
        return PictureStore(folder: path, limits: limits, surroundings: surroundings) { events.note($0) }
    }

    /// The content of the database, or of another file in the store's folder.
    func bytes(_ name: String = "pictures.sqlite") throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: path + "/" + name))
    }

    func change(_ name: String = "pictures.sqlite", _ body: (inout Data) throws -> Void) throws {
        var data = try bytes(name)
        try body(&data)
        // Written in place, as a faulty disk would change it: the inode stays the same.
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path + "/" + name))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: data)
        try file.close()
    }

    /// Moves the log's content into the database and empties the log.
    func checkpoint() throws { try execute("PRAGMA wal_checkpoint(TRUNCATE)") }

    /// Runs the test's own SQL.
    func execute(_ sql: String) throws {
        var handle: OpaquePointer?
        sqlite3_open(databasePath, &handle)
        defer { sqlite3_close(handle) }
        // The store may be trimming.
        sqlite3_busy_timeout(handle, 5000)
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
            throw SQLiteError(code: sqlite3_errcode(handle), message: String(cString: sqlite3_errmsg(handle)))
        }
    }

    func number(_ sql: String) throws -> Int {
        try Database(path: databasePath, creates: false, patience: 5).number(sql)
    }

    var largeFiles: [String] {
        let names = FileManager.default.enumerator(atPath: path + "/large")?.compactMap { $0 as? String } ?? []
        return names.filter { $0.contains("/") }.map { "large/" + $0 }.sorted()
    }
}

final class TestClock: Sendable {
    private let seconds = Mutex(1_700_000_000.0)
    private let step: Double

    /// - Parameter step: seconds between two readings.
    init(step: Double = 1) { self.step = step }

    func next() -> Date {
        Date(
            timeIntervalSince1970: seconds.withLock {
                $0 += step
                return $0
            })
    }
    func pass(_ time: Double) { seconds.withLock { $0 += time } }
}

final class Events: Sendable {
    private let list = Mutex<[StoreEvent]>([])
    func note(_ event: StoreEvent) { list.withLock { $0.append(event) } }
    var all: [StoreEvent] { list.withLock { $0 } }
    var warnings: [StoreWarning.Kind] {
        all.compactMap { if case .warning(let warning) = $0 { warning.kind } else { nil } }
    }
    var evictions: [StoreEvictions] { all.compactMap { if case .gaveWay(let one) = $0 { one } else { nil } } }
    var damaged: [PictureKey] { all.compactMap { if case .damaged(let key) = $0 { key } else { nil } } }
    var evicted: [String] { all.compactMap { if case .evicted(let key) = $0 { key.identifier } else { nil } } }
}

extension PictureKey {
    static func full(_ identifier: String, part: Int? = nil) -> PictureKey {
        PictureKey(identifier, variant: "full.png", part: part)
    }
}

extension StoredPicture {
    /// - Parameter count: the number of bytes. They differ from those of other pictures.
    static func sample(_ content: String, count: Int = 1000, partCount: Int? = nil) -> StoredPicture {
        var state = Digest(of: content).withBytes { $0.load(as: UInt64.self) }
        var words = [UInt64](repeating: 0, count: count / 8 + 1)
        for i in words.indices {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            words[i] = state
        }
        let data = words.withUnsafeBytes { Data($0) }
        var builder = Fingerprint.Builder()
        builder.add("html", content)
        builder.add("engine", "1")
        return StoredPicture(
            data: data.prefix(count),
            info: PictureInfo(
                fingerprint: builder.build(),
                dependencies: [
                    Dependency(path: "img/a b.png", digest: Digest(of: "a")),
                    Dependency(path: "gone\n.css", digest: nil),
                ],
                format: "png", size: PixelSize(width: 400, height: 106), scale: 1.5, isOpaque: false,
                warnings: [DrawingWarning(.resourceMissing, "gone.css", reason: "no such file")], partCount: partCount,
                content: PictureContent(
                    areas: [
                        PictureArea(x: 0, y: 1.5, width: 20, height: 12.25, target: "https://a.example/?é=\"1\""),
                        PictureArea(x: 8, y: 0, width: 1, height: 1, target: nil, identifier: "note"),
                    ], text: "Hello \(content)"), extra: #"{"row": 7}"#))
    }
}
