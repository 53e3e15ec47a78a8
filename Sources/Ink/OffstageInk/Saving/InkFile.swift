import Dispatch
import Foundation
import Offstage
import Synchronization

/// An ink file that is being edited. Saving never blocks the caller.
///
/// Each change is appended to a journal beside the file, `.NAME.offstage-journal`, and is on the disk within 100 ms.
/// `save` writes a new file if something has changed, and replaces the old one in one step. The journal then starts
/// over, with the history, so that undo works even after a restart. After kill -9, `open` returns everything except the
/// current stroke.
///
/// No strokes are lost, even if other programs write the file. If several programs open it, under any of its names,
/// only one can change it. If a program without this protection writes the file meanwhile, `save` does not overwrite
/// it: see `Event.changedElsewhere`.
///
/// If a file cannot be written back without loss, because it has another format, attachments or damage, its original is
/// kept as `NAME.original` when it is first rewritten.
public final class InkFile: Sendable {
    /// An event of the file.
    public enum Event: Sendable {
        /// The file was rewritten.
        case saved([InkLoss])
        /// The journal or the file cannot be written. Changes are only in memory, and are written as soon as possible.
        case failed(InkSavingError)
        /// After `failed`: all changes are on the disk again, in the journal.
        case stored
        /// The file's original content, which this format cannot store, was kept at this path before the first change.
        case keptOriginal(String)
        /// Another program has opened the same file, for viewing only.
        case openedElsewhere
        /// Another program has written the file. It was not overwritten, and all changes are in the journal. The host
        /// should offer `merge`, if the file has only additions, and `saveSecond`. Without a choice, the next `save` or
        /// `open` merges if possible, and otherwise writes a second file.
        case changedElsewhere(canMerge: Bool)
        /// The changes are in a second file at this path, which is now `path`. The other program's file is unchanged.
        case moved(String)
        /// Another program wrote the file at the moment when it was replaced. Its version is at this path.
        case keptOther(String)
        /// `undo` or `redo` has skipped steps of an earlier run: the journal is damaged, and they would have changed
        /// the wrong items.
        case skipped(steps: Int)
    }

    /// A file that was opened.
    public struct Opened: Sendable {
        public var file: InkFile
        /// The document with all changes from the journal, and its history.
        public var editor: InkEditor
        /// The parts that the document lacks.
        public var warnings: [DrawingWarning]
        /// True if the journal had changes that the file itself lacks, such as after kill -9.
        public var isRecovered = false
        /// The number of items that another program had added to the file since, and that were merged with the
        /// recovered changes.
        public var mergedItems = 0
        /// The path of the file with the recovered changes, if another program has written the file since and they
        /// could not be merged. The editor then has the other program's document.
        public var secondFile: String?
    }

    /// The file's path. It changes with `Event.moved`.
    public var path: String { state.withLock { $0.path } }
    /// True if another program opened the file first: this one cannot save it.
    public let isReadOnly: Bool
    let queue = DispatchQueue(label: "offstage ink journal", qos: .userInitiated)
    let snapshots = DispatchQueue(label: "offstage ink snapshot", qos: .utility)
    let state: Mutex<State>
    let disk: InkDisk
    let notify: @Sendable (Event) -> Void
    /// Reads a file's bytes, in a jailed worker.
    let read: Reader

    typealias Reader = @Sendable (Data) async throws -> (ink: Ink, isOurs: Bool)

    struct State {
        var path: String
        var names: InkFileNames
        var lock: InkFileLock?
        /// The state in which the file was last read or written.
        var seen: InkFileSeen
        /// The first entry of the journal, without the file's bytes once the journal has them.
        var base: InkJournal.Base
        var journal = OpenJournal()
        /// The entries since the snapshot that is being written.
        var tail: [Data]?
        /// Pending entries that a new journal has taken.
        var taken: [Data] = []
        /// A save that was requested meanwhile, and the entries since then.
        var next: (snapshot: Snapshot, tail: [Data])?
        /// True if the file is missing or lacks a change.
        var needsSaving = false
        /// True if the file's content cannot be written back without loss.
        var keepsOriginal = false
        /// True if the file's backgrounds are beside it, not in it.
        var keepsAttachments = true
        /// The version that another program has written, until the user decides.
        var conflict: Conflict?
        var isClosed = false
        /// The texture images that the journal has, or that are pending for it. A new journal starts with them.
        var images: [UInt64: InkTextureImage] = [:]
        /// Appended entries that are not on the disk yet.
        var pending: [Data] = []
        var isFlushing = false
        var isRetrying = false
        /// The last reported errors: an `errno`, 0 for none.
        var (journalFailure, savingFailure): (Int32, Int32) = (0, 0)
        var whenIdle: [CheckedContinuation<Void, Never>] = []

        init(_ path: String, _ names: InkFileNames, _ lock: InkFileLock?, _ seen: InkFileSeen, _ base: InkJournal.Base)
        {
            (self.path, self.names, self.lock, self.seen, self.base) = (path, names, lock, seen, base)
        }
    }

    /// A journal that entries are appended to.
    struct OpenJournal {
        /// -1 for none. The first entry creates it.
        var file: Int32 = -1
        var path = ""
        /// The number of bytes on the disk.
        var length = 0
        /// The number of the next entry.
        var number: UInt32 = 0
        /// True until its first entries are on the disk.
        var isFirst = false
        /// True if it has a history or changes.
        var isUsed = false
    }

    struct Snapshot: Sendable {
        var ink: Ink
        var done: [InkStep]
        var undone: [InkStep]
        /// True to save into a second file.
        var isSecond = false
    }

    struct Conflict {
        var data: Data
        var seen: InkFileSeen
        /// Nil if the file has other changes.
        var additions: Ink?
        var isOurs: Bool
    }

    init(
        _ state: State, isReadOnly: Bool = false, disk: InkDisk = InkDisk(),
        read: @escaping Reader, notify: @escaping @Sendable (Event) -> Void
    ) {
        (self.isReadOnly, self.disk, self.read, self.notify) = (isReadOnly, disk, read, notify)
        self.state = Mutex(state)
    }

    /// Opens a file for viewing only.
    convenience init(lookingAt path: String) {
        let names = InkFileNames(path)
        let seen = InkFileSeen(names.file, Digest(of: Data()))
        self.init(
            State(path, names, nil, seen, InkJournal.Base()), isReadOnly: true,
            read: { _ in throw DrawingError.empty }, notify: { _ in })
    }

    deinit { state.withLock { if $0.journal.file >= 0 { Foundation.close($0.journal.file) } } }

    /// Waits for the journal and for a snapshot that is being written, and then lets other programs change the file.
    /// Later changes are not stored.
    public func close() async {
        await synchronize()
        await finishSaves()
        await synchronize()
        state.withLock { state in
            state.isClosed = true
            if !state.needsSaving, state.pending.isEmpty, !state.journal.isUsed { state.removeJournal() }
            state.lock?.release()
        }
    }

    /// True if another program has written the file and the host has not chosen what to do: see
    /// `Event.changedElsewhere`.
    public var isChangedElsewhere: Bool { state.withLock { $0.conflict != nil } }

    /// Waits until the current write of the file has succeeded or failed.
    public func finishSaves() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if state.tail != nil { state.whenIdle.append(continuation) }
                return state.tail == nil
            }
            if isIdle { continuation.resume() }
        }
    }
}

/// The reason why ink cannot be stored, and what to do about it.
public struct InkSavingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file and the system's error.
    public var file: FileError

    public var description: String {
        let reason = String(cString: strerror(file.code))
        return "cannot \(file.action) \(file.path): \(reason); \(remedy), and the unsaved changes will be stored"
    }

    private var remedy: String {
        switch file.code {
        case ENOSPC, EDQUOT: "free some space"
        case EFBIG: "raise `ulimit -f`"
        case EACCES, EPERM: "allow writing in its folder"
        case EROFS: "make its file system writable"
        case ENOENT, ENOTDIR: "create its folder again"
        case EEXIST: "move the file with this name, which Offstage did not create, elsewhere"
        case EBUSY: "close it in the other program"
        default: "check the disk"
        }
    }
}
