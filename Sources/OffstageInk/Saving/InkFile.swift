import COffstageSystem
import Dispatch
import Foundation
import Offstage
import Synchronization

/// A file with ink that is being changed. Saving never blocks the caller.
///
/// Each change is appended to a journal beside the file, `NAME.journal-…`, and is on the disk within 100 ms. `save` writes the file
/// anew, if something has changed, and replaces it atomically; the journal then begins again, with the history, so that undo works
/// after a restart, too. After kill -9, `open` returns everything but the stroke under the pen.
///
/// A file that cannot be written back as it was, because it has another format, attachments, or damage, keeps its content under another
/// name when it is first written anew: `NAME.original`.
public final class InkFile: Sendable {
    /// Something that happened to the file.
    public enum Event: Sendable {
        /// The file was written anew.
        case saved([InkLoss])
        /// The journal or the file cannot be written. Changes are in memory alone.
        case failed(FileError)
        /// The file's content before the first change, which this format cannot store, has another name now: this path.
        case keptOriginal(String)
        /// Another program has opened the same file, and only looks at it.
        case openedElsewhere
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
    }

    public let path: String
    /// True if another program has opened the file before: this one cannot save it.
    public let isReadOnly: Bool
    let queue = DispatchQueue(label: "offstage ink journal", qos: .userInitiated)
    private let snapshots = DispatchQueue(label: "offstage ink snapshot", qos: .utility)
    let lock: InkFileLock?
    /// True if the backgrounds that belong to the file are beside it, and not in it.
    private let keepsAttachments: Bool
    private let state: Mutex<State>
    private let notify: @Sendable (Event) -> Void

    private struct State {
        /// The journal of the file's state; -1 if there is none.
        var journal: Int32 = -1
        var journalPath = ""
        /// While a snapshot is being written: the entries since it was taken.
        var tail: [Data]?
        /// The file lacks something: a change, or itself.
        var needsSaving: Bool
        /// The file's content cannot be written back as it is.
        var keepsOriginal: Bool
        var hasFailed = false
        var isClosed = false
        /// Appended and not yet on the disk.
        var pending: [Data] = []
        var isFlushing = false
    }

    init(
        path: String, lock: InkFileLock?, journal: Int32, journalPath: String, needsSaving: Bool = false,
        keepsOriginal: Bool = false,
        notify: @escaping @Sendable (Event) -> Void
    ) {
        (self.path, self.lock, self.notify) = (path, lock, notify)
        isReadOnly = lock == nil
        keepsAttachments = !keepsOriginal
        state = Mutex(
            State(
                journal: journal, journalPath: journalPath, needsSaving: needsSaving, keepsOriginal: keepsOriginal))
    }

    deinit { state.withLock { if $0.journal >= 0 { Foundation.close($0.journal) } } }

    /// Appends what an editor has changed since the last call. Returns at once.
    ///
    /// - Parameter editor: of this file.
    public func append(from editor: inout InkEditor) {
        let changes = editor.takeChanges()
        if changes.isEmpty || isReadOnly { return }
        let entries = changes.map { InkJournal.data(of: .change($0)) }
        let begins = state.withLock { state in
            if state.isClosed { return false }
            state.needsSaving = true
            state.pending += entries
            state.tail? += entries
            defer { state.isFlushing = true }
            return !state.isFlushing
        }
        if begins { queue.async { self.flush() } }
    }

    /// Writes what is pending. On the queue.
    func flush() {
        while true {
            let (entries, journal) = state.withLock { state in
                let entries = state.pending
                state.pending = []
                state.isFlushing = !entries.isEmpty
                return (entries, state.journal)
            }
            if entries.isEmpty { return }
            var code = writeAll(Data(entries.joined()), to: journal)
            if code == 0, fdatasync(journal) != 0 { code = errno }
            if code != 0 { fail(FileError("write", path: path, code: code)) }
        }
    }

    /// Waits until everything that was appended is on the disk.
    public func synchronize() async {
        await withCheckedContinuation { continuation in
            queue.async {
                self.flush()
                continuation.resume()
            }
        }
    }

    /// Writes the file anew, in the background, unless it has everything. Changes may go on meanwhile.
    ///
    /// - Parameter editor: of this file.
    public func save(_ editor: inout InkEditor) {
        append(from: &editor)
        if isReadOnly { return }
        // While a snapshot is being written, the journal has what is newer.
        let begins = state.withLock { state in
            if state.tail != nil || state.isClosed || !state.needsSaving { return false }
            (state.tail, state.needsSaving) = ([], false)
            return true
        }
        if !begins { return }
        let (ink, history) = (editor.ink, editor.history)
        snapshots.async { self.writeSnapshot(ink, history) }
    }

    private func writeSnapshot(_ ink: Ink, _ history: (done: [InkEdit], undone: [InkEdit])) {
        let file = XournalWriter.file(ink, keepsAttachments: keepsAttachments)
        let digest = Digest(of: file.data)
        var head = InkJournal.head(for: digest)
        for edit in history.done { head += InkJournal.data(of: .done(edit)) }
        for edit in history.undone { head += InkJournal.data(of: .undone(edit)) }
        let beginning = head
        queue.async { self.exchange(file, digest, head: beginning) }
    }

    /// First the new journal, then the new file: whenever the program is killed, the file has its journal.
    private func exchange(_ file: InkFileBytes, _ digest: Digest, head: Data) {
        flush()
        let tail = state.withLock { state in
            defer { state.tail = nil }
            return state.tail ?? []
        }
        do throws(FileError) {
            if state.withLock({ $0.keepsOriginal }) {
                let original = try InkJournalFile.keepOriginal(of: path)
                state.withLock { $0.keepsOriginal = false }
                notify(.keptOriginal(original))
            }
            let next = InkJournalFile.path(for: path, digest)
            let journal = try InkJournalFile.create(next, head + Data(tail.joined()))
            do throws(FileError) { try InkJournalFile.replace(path, with: file.data) } catch {
                Foundation.close(journal)
                unlink(next)
                throw error
            }
            let (old, oldPath) = state.withLock { state in
                defer { (state.journal, state.journalPath, state.hasFailed) = (journal, next, false) }
                return (state.journal, state.journalPath)
            }
            if old >= 0 { Foundation.close(old) }
            if oldPath != next { unlink(oldPath) }
            notify(.saved(file.losses))
        } catch {
            state.withLock { $0.needsSaving = true }
            fail(error)
        }
    }

    /// Reports the first of several failures.
    private func fail(_ error: FileError) {
        let isFirst = state.withLock { state in
            defer { state.hasFailed = true }
            return !state.hasFailed
        }
        if isFirst { notify(.failed(error)) }
    }

    /// Waits for the journal and for a snapshot that is being written, and lets other programs change the file. Later changes are
    /// not stored.
    public func close() async {
        await synchronize()
        await withCheckedContinuation { continuation in
            snapshots.async { self.queue.async { continuation.resume() } }
        }
        state.withLock { $0.isClosed = true }
        lock?.release()
    }
}
