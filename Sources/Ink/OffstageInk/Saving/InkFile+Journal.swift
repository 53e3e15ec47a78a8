import Foundation
import Offstage

/// The journal of a file. All writing is done on the queue.
extension InkFile {
    /// Appends an editor's changes since the last call. Returns at once.
    ///
    /// - Parameter editor: this file's editor.
    public func append(from editor: inout InkEditor) {
        let skipped = editor.takeSkipped()
        if skipped > 0 { notify(.skipped(steps: skipped)) }
        let changes = editor.takeChanges()
        if !changes.isEmpty { append(changes.map { InkJournal.Entry.change($0) }) }
    }

    /// Appends entries. Each texture image precedes the first entry that needs it.
    private func append(_ entries: [InkJournal.Entry]) {
        let images = state.withLock { $0.takeNew(entries.flatMap(\.images)) }
        append((images.map(InkJournal.Entry.image) + entries).map(InkJournal.body))
    }

    func append(_ entries: [Data]) {
        if isReadOnly { return }
        let begins = state.withLock { state in
            if state.isClosed { return false }
            state.needsSaving = true
            state.pending += entries
            state.tail? += entries
            state.next?.tail += entries
            defer { state.isFlushing = true }
            return !state.isFlushing
        }
        if begins { queue.async { self.flush() } }
    }

    /// Waits until all appended entries are on the disk.
    ///
    /// - Returns: false if that was not possible. The changes are kept, and tried again.
    @discardableResult
    public func synchronize() async -> Bool {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.flush()) }
        }
    }

    /// Writes pending entries in order. Entries that cannot be written stay, and are tried again with the next change,
    /// and after a second.
    @discardableResult
    func flush() -> Bool {
        while true {
            let entries = state.withLock { state in
                let entries = state.pending
                state.pending = []
                state.isFlushing = !entries.isEmpty
                return entries
            }
            if entries.isEmpty { return true }
            do throws(FileError) { try write(entries) } catch {
                let retries = state.withLock { state in
                    state.pending = entries + state.pending
                    state.isFlushing = false
                    defer { state.isRetrying = true }
                    return !state.isRetrying && !state.isClosed
                }
                if retries { queue.asyncAfter(deadline: .now() + 1) { [weak self] in self?.retry() } }
                report(error, \.journalFailure)
                return false
            }
            let wasFailing = state.withLock { state in
                defer { state.journalFailure = 0 }
                return state.journalFailure != 0
            }
            if wasFailing { notify(.stored) }
        }
    }

    private func retry() {
        let isClosed = state.withLock { state in
            state.isRetrying = false
            return state.isClosed
        }
        if !isClosed { flush() }
    }

    /// Reports an error once, until the next success.
    func report(_ error: FileError, _ failure: WritableKeyPath<State, Int32>) {
        let isNew = state.withLock { state in
            let isNew = state.journalFailure != error.code && state.savingFailure != error.code
            state[keyPath: failure] = error.code
            return isNew
        }
        if isNew { notify(.failed(InkSavingError(file: error))) }
    }

    private func write(_ entries: [Data]) throws(FileError) {
        try openJournal()
        let journal = state.withLock { $0.journal }
        var code = disk.write(InkJournal.framed(entries, from: journal.number), journal.file)
        if code == 0 { code = disk.synchronize(journal.file) }
        if code != 0 {
            // Removes the incomplete end. If that fails, readers still find the entries after it.
            ftruncate(journal.file, off_t(journal.length))
            throw FileError("write", path: journal.path, code: code)
        }
        if journal.isFirst {
            // The contents of older journals are in the file, or in these entries: see `InkFileOpening`.
            for old in InkJournalSlots.all(of: state.withLock { $0.names }) where old.path != journal.path {
                unlink(old.path)
            }
        }
        var info = stat()
        fstat(journal.file, &info)
        state.withLock { state in
            state.journal.isFirst = false
            state.journal.length = Int(info.st_size)
            state.journal.number += UInt32(clamping: entries.count)
            state.journal.isUsed = true
        }
    }

    /// Creates the journal if it does not exist yet, or has been removed.
    private func openJournal() throws(FileError) {
        let (journal, names, base, hasLock) = state.withLock { ($0.journal, $0.names, $0.base, $0.lock != nil) }
        if !hasLock { try lockAgain(names) }
        if journal.file < 0 {
            var made = try makeJournal(names, [.base(base)], [])
            made.isFirst = true
            let first = made
            return state.withLock { state in
                state.journal = first
                state.base.file = Data()
            }
        }
        var info = stat()
        guard fstat(journal.file, &info) == 0, info.st_nlink == 0 else { return }
        // The open journal still has its bytes, but no name.
        let old = FileHandle(fileDescriptor: journal.file, closeOnDealloc: false)
        guard (try? old.seek(toOffset: 0)) != nil, let data = try? old.read(upToCount: journal.length) else {
            throw FileError("write", path: journal.path, code: EIO)
        }
        let path = try InkJournalSlots.free(in: names, but: nil)
        var anew = journal
        anew.file = try InkFiles.create(path, data, like: names.file, disk: disk)
        (anew.path, anew.length) = (path, data.count)
        Foundation.close(journal.file)
        let made = anew
        state.withLock { $0.journal = made }
    }

    /// Locks the file if that was impossible when it was opened, because its folder was not writable.
    private func lockAgain(_ names: InkFileNames) throws(FileError) {
        switch InkFileLock.tryOnce(names, { [notify] in notify(.openedElsewhere) }, pokes: false) {
        case .taken(let lock): state.withLock { $0.lock = lock }
        case .elsewhere: throw FileError("write", path: names.file, code: EBUSY)
        case .impossible(let code): throw FileError("write", path: names.file, code: code)
        }
    }

    /// Creates a journal beside the current one. It is on the disk when this returns.
    func makeJournal(
        _ names: InkFileNames, _ entries: [InkJournal.Entry], _ tail: [Data]
    ) throws(FileError) -> OpenJournal {
        let path = try InkJournalSlots.free(
            in: names, but: state.withLock { $0.journal.file < 0 ? nil : $0.journal.path })
        let images = state.withLock { state in
            _ = state.takeNew(entries.flatMap(\.images))
            return state.images.values.sorted { $0.identity < $1.identity }.map(InkJournal.Entry.image)
        }
        let bodies = (entries.prefix(1) + images + entries.dropFirst()).map(InkJournal.body) + tail
        let data = InkJournal.magic + InkJournal.framed(bodies, from: 0)
        let file = try InkFiles.create(path, data, like: names.file, disk: disk)
        return OpenJournal(
            file: file, path: path, length: data.count, number: UInt32(clamping: bodies.count),
            isUsed: bodies.count > 1 + images.count
        )
    }
}

extension InkFile.State {
    /// Returns the images that the journal lacks, and counts them as included from now on.
    mutating func takeNew(_ some: [InkTextureImage]) -> [InkTextureImage] {
        some.filter { image in image.side > 0 && images.updateValue(image, forKey: image.identity) == nil }
    }

    /// Removes the journal. Its content is stored elsewhere.
    mutating func removeJournal() {
        if journal.file >= 0 {
            unlink(journal.path)
            close(journal.file)
        }
        journal = InkFile.OpenJournal()
    }
}

/// The two names that journals of a file have.
enum InkJournalSlots {
    /// A free name. An outdated Offstage journal with this name is removed; any other file stays.
    ///
    /// - Parameter current: the journal in use.
    static func free(in names: InkFileNames, but current: String?) throws(FileError) -> String {
        if let path = names.journals.first(where: { $0 != current && !InkFiles.exists($0) }) { return path }
        if let oldest = all(of: names).last(where: { $0.path != current }) {
            unlink(oldest.path)
            return oldest.path
        }
        throw FileError("create", path: names.journals[0], code: EEXIST)
    }

    /// The journals of a file, the newest first.
    static func all(of names: InkFileNames) -> [(path: String, contents: InkJournalContents)] {
        let found = names.journals.compactMap { path in
            InkFiles.read(path).flatMap { InkJournalContents($0) }.map { (path: path, contents: $0) }
        }
        return found.sorted { ($0.contents.base?.generation ?? 0) > ($1.contents.base?.generation ?? 0) }
    }
}
