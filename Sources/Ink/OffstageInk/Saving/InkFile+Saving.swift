import Foundation
import Offstage

/// Rewriting the file.
extension InkFile {
    /// Rewrites the file in the background, unless it is up to date. Editing can continue meanwhile. If a write is
    /// already in progress, the file is written once more afterwards.
    ///
    /// If another program has written the file, and the host has not chosen what to do (`Event.changedElsewhere`), this
    /// merges the additions into the editor, or else writes a second file.
    ///
    /// - Parameter editor: this file's editor.
    public func save(_ editor: inout InkEditor) {
        if isReadOnly { return }
        guard state.withLock({ $0.conflict != nil }) else { return begin(&editor, isSecond: false) }
        if merge(into: &editor) == 0 { saveSecond(&editor) }
    }

    /// Writes the document into a second file, `NAME (conflict DATE).xopp`. This object then refers to that file: see
    /// `Event.moved`.
    ///
    /// - Parameter editor: this file's editor.
    public func saveSecond(_ editor: inout InkEditor) {
        state.withLock { state in
            state.conflict = nil
            state.needsSaving = true
        }
        begin(&editor, isSecond: true)
    }

    func begin(_ editor: inout InkEditor, isSecond: Bool) {
        append(from: &editor)
        if isReadOnly { return }
        let history = editor.history
        let snapshot = Snapshot(ink: editor.ink, done: history.done, undone: history.undone, isSecond: isSecond)
        let begins = state.withLock { state in
            if state.isClosed || !state.needsSaving { return false }
            if state.tail != nil {
                state.next = (snapshot, [])
                return false
            }
            (state.tail, state.needsSaving) = ([], false)
            return true
        }
        if begins { snapshots.async { self.write(snapshot) } }
    }

    private func write(_ snapshot: Snapshot) {
        let keeps = state.withLock { $0.keepsAttachments } && !snapshot.isSecond
        let file = XournalWriter.file(snapshot.ink, keepsAttachments: keeps)
        queue.async { self.store(file, snapshot) }
    }

    /// Writes the new journal before the new file, so that the file has its journal whenever the program is killed.
    private func store(_ file: InkFileBytes, _ snapshot: Snapshot) {
        // If this fails, the new journal still has the pending entries.
        flush()
        do throws(FileError) {
            if snapshot.isSecond {
                try storeSecond(file, snapshot)
                return finishSaving()
            }
            let (seen, names) = state.withLock { ($0.seen, $0.names) }
            if case .written(let data, let now) = try seen.look(names.file) { return compare(data, now) }
            try replace(file, snapshot)
        } catch {
            state.withLock { $0.needsSaving = true }
            report(error, \.savingFailure)
        }
        finishSaving()
    }

    private func replace(_ file: InkFileBytes, _ snapshot: Snapshot) throws(FileError) {
        let (path, names, seen, base, keepsOriginal) = state.withLock {
            ($0.path, $0.names, $0.seen, $0.base, $0.keepsOriginal)
        }
        if keepsOriginal, InkFiles.exists(names.file) {
            let original = try InkOriginal.keep(path)
            state.withLock { $0.keepsOriginal = false }
            notify(.keptOriginal(original))
        }
        let known = InkJournalSlots.all(of: names).compactMap(\.contents.base?.file)
        let replacement = try InkFileReplacement(names, file.data, known: known, disk: disk)
        let new: OpenJournal
        do throws(FileError) { new = try journal(of: file, snapshot, names, replacement.numbers) } catch {
            replacement.cancel()
            throw error
        }
        let other: String?
        do throws(FileError) { other = try replacement.finish(seen, state.withLock { $0.lock }) } catch {
            // Empty the journal before removing it, so that no journal survives with content that the file never had.
            ftruncate(new.file, 0)
            unlink(new.path)
            Foundation.close(new.file)
            giveBack(base)
            throw error
        }
        finish(names, path, Digest(of: file.data), new)
        if let other { notify(.keptOther(other)) }
        notify(.saved(file.losses))
    }

    /// The journal for a new state of the file: its bytes, the history, and the changes since the snapshot.
    private func journal(
        of file: InkFileBytes, _ snapshot: Snapshot, _ names: InkFileNames, _ numbers: (device: UInt64, inode: UInt64)
    ) throws(FileError) -> OpenJournal {
        let (generation, tail) = state.withLock { ($0.base.generation &+ 1, $0.tail ?? []) }
        let base = InkJournal.Base(
            generation: generation, device: numbers.device, inode: numbers.inode, file: file.data)
        let entries: [InkJournal.Entry] =
            [.base(base)] + snapshot.done.map { .done($0) } + snapshot.undone.map { .undone($0) }
        let journal = try makeJournal(names, entries, tail)
        state.withLock { state in
            state.base = base
            state.base.file = Data()
            // Entries in the new journal are no longer pending; later ones are.
            state.tail = state.tail.map { Array($0.dropFirst(tail.count)) }
            let newer = state.tail ?? []
            state.taken = state.pending.dropLast(newer.count)
            state.pending = newer
        }
        return journal
    }

    /// Gives up a new journal that cannot be used: its entries are pending again, except those in the old journal.
    private func giveBack(_ base: InkJournal.Base) {
        state.withLock { state in
            state.base = base
            state.pending = state.taken + state.pending
            state.taken = []
        }
    }

    private func finish(_ names: InkFileNames, _ path: String, _ digest: Digest, _ journal: OpenJournal) {
        state.withLock { state in
            state.removeJournal()
            (state.path, state.names, state.journal) = (path, names, journal)
            state.seen = InkFileSeen(names.file, digest)
            state.taken = []
            (state.journalFailure, state.savingFailure) = (0, 0)
            state.keepsAttachments = true
        }
    }

    /// Writes everything into a file with another name. The other program's file stays unchanged.
    private func storeSecond(_ file: InkFileBytes, _ snapshot: Snapshot) throws(FileError) {
        let old = state.withLock { $0.names }
        let path = InkSecondFile.freeName(for: old.file)
        let names = InkFileNames(path)
        guard case .taken(let lock) = InkFileLock.tryOnce(names, { [notify] in notify(.openedElsewhere) }, pokes: false)
        else { throw FileError("create", path: path, code: EACCES) }
        let made = try InkFiles.create(path, file.data, like: old.file, isWhole: true, disk: disk)
        lock.move(to: made)
        let seen = InkFileSeen(path, Digest(of: file.data))
        let new: OpenJournal
        do throws(FileError) { new = try journal(of: file, snapshot, names, (seen.device, seen.inode)) } catch {
            // The old journal has everything.
            unlink(path)
            lock.release()
            throw error
        }
        finish(names, path, seen.digest, new)
        let last = state.withLock { state in
            defer { (state.lock, state.keepsOriginal) = (lock, false) }
            return state.lock
        }
        last?.release()
        notify(.moved(path))
        notify(.saved(file.losses))
    }

    /// Starts the next save, if one was requested.
    func finishSaving() {
        let (next, waiting) = state.withLock { state in
            let next = state.conflict == nil && !state.isClosed ? state.next : nil
            (state.tail, state.next) = (next?.tail, nil)
            if next != nil { state.needsSaving = false }
            defer { if next == nil { state.whenIdle = [] } }
            return (next?.snapshot, next == nil ? state.whenIdle : [])
        }
        if let next { return snapshots.async { self.write(next) } }
        for continuation in waiting { continuation.resume() }
    }
}
