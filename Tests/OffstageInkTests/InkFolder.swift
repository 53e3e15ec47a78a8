import Foundation
import Offstage
import Synchronization
import Testing

@testable import OffstageInk

/// A test's folder, which is removed with this object, and an engine that reads files.
final class InkFolder: Sendable {
    private let root = FileManager.default.temporaryDirectory.appendingPathComponent("ink-\(UUID().uuidString)")
    private let number = Mutex(0)
    let engine = InkEngine(workers: 1, jail: .never)
    private let noted = Mutex<[String]>([])
    /// The free bytes on the disk; nil for a disk that is never full.
    private let free = Mutex<Int?>(nil)

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: root) }

    var folder: URL { root.appendingPathComponent("\(number.withLock { $0 })") }

    /// Continues in a copy of the folder as it is now. For a program that has files open there, this has the effect
    /// of being killed.
    func kill() throws {
        let contents = contents
        number.withLock { $0 += 1 }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, data) in contents { try data.write(to: folder.appendingPathComponent(name)) }
    }

    func path(_ name: String = "notes.xopp") -> String { folder.appendingPathComponent(name).path }

    /// The names of the events so far.
    var events: [String] { noted.withLock { $0 } }

    /// Fills the disk except for this many bytes; nil empties it.
    func setFree(_ count: Int?) { free.withLock { $0 = count } }

    private var disk: InkDisk {
        var disk = InkDisk()
        disk.write = { [weak self] data, file in
            guard let self else { return EIO }
            let room = free.withLock { free in
                defer { free = free.map { max(0, $0 - data.count) } }
                return free
            }
            guard let room, room < data.count else { return writeAll(data, to: file) }
            // A full disk stores some of the bytes.
            _ = writeAll(data.prefix(room), to: file)
            return ENOSPC
        }
        return disk
    }

    func open(_ name: String = "notes.xopp") async throws -> InkFile.Opened {
        try await InkFile.open(path(name), engine: engine, disk: disk) { [weak self] event in
            self?.noted.withLock { $0.append(Self.name(of: event)) }
        }
    }

    private static func name(of event: InkFile.Event) -> String {
        switch event {
        case .saved: "saved"
        case .failed(let error): "failed \(error.file.code)"
        case .stored: "stored"
        case .keptOriginal: "keptOriginal"
        case .openedElsewhere: "openedElsewhere"
        case .changedElsewhere(let canMerge): "changedElsewhere \(canMerge)"
        case .moved: "moved"
        case .keptOther: "keptOther"
        case .skipped(let steps): "skipped \(steps)"
        }
    }

    /// The names and contents of all files.
    var contents: [String: Data] {
        var contents: [String: Data] = [:]
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] {
            contents[name] = try? Data(contentsOf: folder.appendingPathComponent(name))
        }
        return contents
    }

    func info(_ name: String) -> stat {
        var info = stat()
        lstat(path(name), &info)
        return info
    }

    /// The strokes of a file as another program reads them.
    func strokes(_ name: String = "notes.xopp") async throws -> [Stroke] {
        let data = try Data(contentsOf: folder.appendingPathComponent(name))
        return try await engine.load(InkDocument(data)).ink.pages.flatMap(\.strokes)
    }

    /// Rewrites a file in place, as a program without journals does.
    func rewrite(_ name: String = "notes.xopp", _ change: (inout Ink) -> Void) async throws {
        var ink = Ink()
        if let data = try? Data(contentsOf: folder.appendingPathComponent(name)) {
            ink = try await engine.load(InkDocument(data)).ink
        }
        change(&ink)
        let handle = open(name, O_WRONLY | O_CREAT | O_TRUNC)
        _ = writeAll(XournalWriter.file(ink, isPacked: false).data, to: handle)
        close(handle)
    }

    private func open(_ name: String, _ flags: Int32) -> Int32 { Foundation.open(path(name), flags, 0o644) }
}

extension InkFile.Opened {
    mutating func draw(_ numbers: Range<Int>) {
        for number in numbers {
            editor.add(straightStroke(number), page: 0)
            file.append(from: &editor)
        }
    }

    mutating func save() async {
        file.save(&editor)
        await file.finishSaves()
    }

    /// The strokes' numbers.
    var numbers: [Int] { editor.ink.pages.flatMap(\.strokes).map(\.number) }
}

extension Stroke {
    /// The number of the stroke that `straightStroke` made.
    var number: Int { points.first.map { Int(($0.x / 2).rounded()) } ?? -1 }
}
