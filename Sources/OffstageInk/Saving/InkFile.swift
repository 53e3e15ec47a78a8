import Dispatch
import Foundation
import Offstage
import Synchronization

/// A file with ink that is being changed. Saving never blocks the caller.
///
/// Each change is appended to a journal beside the file, `.NAME.offstage-journal`, and is on the disk within 100 ms. `save` writes the file
/// anew, if something has changed, and replaces it in one step; the journal then begins again, with the history, so that undo works
/// after a restart, too. After kill -9, `open` returns everything but the stroke under the pen.
///
/// Nothing that somebody wrote is lost, whoever else writes. Of several programs that open a file, under any of its names, one changes it.
/// If a program that knows nothing of this writes the file meanwhile, `save` does not write over it: see `Event.changedElsewhere`.
///
/// A file that cannot be written back as it was, because it has another format, attachments, or damage, keeps its content under another
/// name when it is first written anew: `NAME.original`.
public final class InkFile: Sendable {
    /// Something that happened to the file.
    public enum Event: Sendable {
        /// The file was written anew.
        case saved([InkLoss])
        /// The journal or the file cannot be written. Changes are in memory alone; they are written as soon as that is possible again.
        case failed(InkSavingError)
        /// After `failed`: all changes are on the disk again, in the journal.
        case stored
        /// The file's content before the first change, which this format cannot store, has another name now: this path.
        case keptOriginal(String)
        /// Another program has opened the same file, and only looks at it.
        case openedElsewhere
        /// Another program has written the file; nothing was written over it, and all changes are in the journal. The host offers `merge`, if
        /// the file only grew, and `saveSecond`. Without a choice, the next `save` merges if it can, and else writes a second file; so does the
        /// next `open`.
        case changedElsewhere(canMerge: Bool)
        /// The changes are in a second file, this path, and `path` is its name from now on. The other program's file is as it was.
        case moved(String)
        /// Another program wrote the file at the moment when it was replaced. Its version is at this path.
        case keptOther(String)
        /// `undo` or `redo` has left out some steps of an earlier run: the journal is damaged, and they would have changed something else.
        case skipped(steps: Int)
    }

    /// A file that was opened.
    public struct Opened: Sendable {
        public var file: InkFile
        /// The document with everything that the journal contains, and its history.
        public var editor: InkEditor
        /// The parts that the document lacks.
        public var warnings: [DrawingWarning]
        /// True if the journal had changes that the file itself lacks, such as after kill -9.
        public var isRecovered = false
        /// The number of items that another program had added to the file since, and that were merged with the recovered changes.
        public var mergedItems = 0
        /// The path of the file with the recovered changes, if another program has written the file since and they could not be merged: the
        /// editor has the other program's document.
        public var secondFile: String?
    }

    /// Of the file; it changes with `Event.moved`.
    public var path: String { state.withLock { $0.path } }
    /// True if another program has opened the file before: this one cannot save it.
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
        /// The file as it was last read or written.
        var seen: InkFileSeen
        /// The first entry of the journal. Without the file's bytes once the journal has them.
        var base: InkJournal.Base
        var journal = OpenJournal()
        /// While a snapshot is being written: the entries since it was taken.
        var tail: [Data]?
        /// Entries that were pending before a new journal took them.
        var taken: [Data] = []
        /// A save that was requested meanwhile, and the entries since then.
        var next: (snapshot: Snapshot, tail: [Data])?
        /// The file lacks something: a change, or itself.
        var needsSaving = false
        /// The file's content cannot be written back as it is.
        var keepsOriginal = false
        /// True if the backgrounds that belong to the file are beside it, and not in it.
        var keepsAttachments = true
        /// The version that another program has written, until the user decides.
        var conflict: Conflict?
        var isClosed = false
        /// The images of textures that the journal has, or that are pending for it. A new journal begins with them.
        var images: [UInt64: InkTextureImage] = [:]
        /// Appended and not yet on the disk.
        var pending: [Data] = []
        var isFlushing = false
        var isRetrying = false
        /// The errors that were reported: an `errno`, 0 for none.
        var (journalFailure, savingFailure): (Int32, Int32) = (0, 0)
        var whenIdle: [CheckedContinuation<Void, Never>] = []

        init(_ path: String, _ names: InkFileNames, _ lock: InkFileLock?, _ seen: InkFileSeen, _ base: InkJournal.Base)
        {
            (self.path, self.names, self.lock, self.seen, self.base) = (path, names, lock, seen, base)
        }
    }

    /// A journal that is being appended to.
    struct OpenJournal {
        /// -1 for none: the first entry makes it.
        var file: Int32 = -1
        var path = ""
        /// Bytes that are on the disk.
        var length = 0
        /// Of the next entry.
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
        /// True: into a second file.
        var isSecond = false
    }

    struct Conflict {
        var data: Data
        var seen: InkFileSeen
        /// Nil if the file did not only grow.
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

    /// A file that is only looked at.
    convenience init(lookingAt path: String) {
        let names = InkFileNames(path)
        let seen = InkFileSeen(names.file, Digest(of: Data()))
        self.init(
            State(path, names, nil, seen, InkJournal.Base()), isReadOnly: true,
            read: { _ in throw DrawingError.empty }, notify: { _ in })
    }

    deinit { state.withLock { if $0.journal.file >= 0 { Foundation.close($0.journal.file) } } }

    /// Waits for the journal and for a snapshot that is being written, and lets other programs change the file. Later changes are
    /// not stored.
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

    /// True if another program has written the file, and nobody has decided what to do: see `Event.changedElsewhere`.
    public var isChangedElsewhere: Bool { state.withLock { $0.conflict != nil } }

    /// Waits until the file that is being written is complete, or could not be written.
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

/// Why ink cannot be stored, and what to do.
public struct InkSavingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file and the system's error.
    public var file: FileError

    public var description: String {
        let reason = String(cString: strerror(file.code))
        return "cannot \(file.action) \(file.path): \(reason); \(remedy), and the changes here are stored"
    }

    private var remedy: String {
        switch file.code {
        case ENOSPC, EDQUOT: "free some space"
        case EFBIG: "raise `ulimit -f`"
        case EACCES, EPERM: "allow writing in its folder"
        case EROFS: "make its file system writable"
        case ENOENT, ENOTDIR: "make its folder again"
        case EEXIST: "move away the file of this name, which is not Offstage's"
        case EBUSY: "close it in the other program"
        default: "check the disk"
        }
    }
}
