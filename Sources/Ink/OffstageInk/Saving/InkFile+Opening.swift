import Foundation
import Offstage

extension InkFile {
    /// Opens a file for editing. A file that does not exist starts with an empty page, and is written by the first
    /// `save`.
    ///
    /// If another program has written the file since changes were journaled (because this program was killed), its
    /// additions are merged with the changes. If it did more than add, the changes are written into a second file,
    /// `Opened.secondFile`.
    ///
    /// - Parameters:
    ///   - path: a file that `engine` can read. `save` writes Xournal++'s format, whatever the file's format was, and
    ///     keeps the original if that format cannot store everything.
    ///   - engine: the engine that reads the file, in a jailed worker.
    ///   - limits: the file's limits. Default `InkLimits()`.
    ///   - initial: the document for a file that does not exist. Default one empty page.
    ///   - progress: called with the items received so far, in order, on any thread, to show them before the file is
    ///     complete. Items that are only in the journal are missing. Default none.
    ///   - notify: receives events, on any thread.
    /// - Returns: the file, and its document.
    /// - Throws: the error of reading it, including for a damaged file.
    public static func open(
        _ path: String, engine: InkEngine, limits: InkLimits = InkLimits(), initial: Ink = Ink(),
        progress: (@Sendable (InkSlice) -> Void)? = nil, notify: @escaping @Sendable (Event) -> Void
    ) async throws -> Opened {
        try await open(
            path, engine: engine, limits: limits, initial: initial, disk: InkDisk(), progress: progress, notify: notify)
    }

    static func open(
        _ path: String, engine: InkEngine, limits: InkLimits = InkLimits(), initial: Ink = Ink(), disk: InkDisk,
        progress: (@Sendable (InkSlice) -> Void)? = nil, notify: @escaping @Sendable (Event) -> Void
    ) async throws -> Opened {
        let names = InkFileNames.known(path)
        let lock = await InkFileLock.take(for: names) { notify(.openedElsewhere) }
        var opening = InkFileOpening(path, names, engine, limits, initial, disk)
        do { try await opening.read(progress) } catch {
            if case .taken(let lock) = lock { lock.release() }
            throw error
        }
        var isReadOnly = false
        switch lock {
        case .taken(let lock): opening.lock = lock
        case .elsewhere: isReadOnly = true
        case .impossible: break
        }
        try await opening.recover(isReadOnly: isReadOnly)
        let opened = opening.opened(isReadOnly: isReadOnly, notify)
        if case .impossible(let code) = lock {
            let place = code == EEXIST ? names.lock : path
            opened.file.report(FileError("write", path: place, code: code), \.journalFailure)
        }
        return opened
    }
}

/// The steps of opening a file.
struct InkFileOpening {
    private let path: String
    private let names: InkFileNames
    private let initial: Ink
    private let disk: InkDisk
    private let read: InkFile.Reader
    private let document: () throws -> InkDocument
    private let load: (InkDocument, (@Sendable (InkSlice) -> Void)?) async throws -> (ink: Ink, report: InkReport)
    var lock: InkFileLock?

    private var data = Data()
    private var editor = InkEditor(Ink())
    private var warnings: [DrawingWarning] = []
    private var (isOurs, isRecovered) = (false, false)
    /// True if the file cannot be read, but a journal has its content.
    private var isUnreadable = false
    private var mergedItems = 0
    private var secondFile: String?
    private var journal = InkFile.OpenJournal()
    private var base = InkJournal.Base()
    private var (needsSaving, keepsOriginal) = (false, false)
    /// Entries that the journal needs to match the file.
    private var pending: [Data] = []
    /// The texture images in the journal.
    private var images: [InkTextureImage] = []

    init(
        _ path: String, _ names: InkFileNames, _ engine: InkEngine, _ limits: InkLimits, _ initial: Ink, _ disk: InkDisk
    ) {
        (self.path, self.names, self.initial, self.disk) = (path, names, initial.asSaved, disk)
        let folder = parentFolder(of: path)
        document = { try InkDocument(contentsOf: path, limit: limits.budget.documentBytes) }
        load = { try await engine.read($0, limits: limits, progress: $1) }
        read = { data in
            let (ink, report) = try await engine.read(InkDocument(data, folder: folder), limits: limits, progress: nil)
            return (ink.asSaved, report.isWhollyXournal && !Self.isZip(data))
        }
    }

    /// True for a file that can contain backgrounds and sounds, which `save` does not write.
    private static func isZip(_ data: Data) -> Bool { data.starts(with: [0x50, 0x4B, 3, 4]) }

    /// Reads the file itself.
    mutating func read(_ progress: (@Sendable (InkSlice) -> Void)?) async throws {
        var ink = initial
        if access(path, F_OK) == 0 {
            let document = try document()
            data = document.data
            if !data.isEmpty {
                do {
                    let (read, report) = try await load(document, progress)
                    (ink, warnings) = (read.asSaved, report.warningsOfAll)
                    isOurs = report.isWhollyXournal && !Self.isZip(data)
                } catch {
                    // Another program may have been killed while writing the file. A journal has its complete content.
                    guard let known = InkJournalSlots.all(of: names).first?.contents,
                        known.base != nil || !known.changes.isEmpty
                    else { throw error }
                    isUnreadable = true
                    warnings = [DrawingWarning(.inkDamaged, "the file")]
                }
            }
        }
        editor = InkEditor(ink)
    }

    /// Applies the changes of journals again.
    mutating func recover(isReadOnly: Bool) async throws {
        (needsSaving, keepsOriginal) = (data.isEmpty, !data.isEmpty && !isOurs)
        let digest = Digest(of: data)
        let seen = InkFileSeen(names.file, digest)
        base = InkJournal.Base(
            device: seen.device, inode: seen.inode, file: data, initial: data.isEmpty ? initial : nil)
        let journals = InkJournalSlots.all(of: names)
        if let found = journals.first(where: { $0.contents.file.map { Digest(of: $0) } == digest }),
            let ink = await start(of: found.contents)
        {
            continueJournal(found, ink, isReadOnly: isReadOnly)
        } else if let found = journals.first, !isReadOnly {
            base.generation = (found.contents.base?.generation ?? 0) &+ 1
            let isCutOff = isCutOff(journals)
            if isCutOff { (warnings, keepsOriginal, isUnreadable) = ([], false, true) }
            // Even without changes, the journal may have content that the file lacked when it was last seen, because it
            // could not be read.
            let hasMore = !found.contents.changes.isEmpty || found.contents.rewritten != nil
            if hasMore || isUnreadable { try await reconcile(found) }
        }
        _ = editor.takeChanges()
    }

    /// True for a file with several names that a killed program was about to write in place.
    private func isCutOff(_ journals: [(path: String, contents: InkJournalContents)]) -> Bool {
        guard journals.count == 2, let new = journals[0].contents.base, let old = journals[1].contents.file,
            new.inode == base.inode, new.device == base.device
        else { return false }
        return InkFileReplacement.isCutOff(data, old: old, new: new.file)
    }

    /// The document before the changes in a journal of this file; nil if the journal is damaged there.
    private func start(of contents: InkJournalContents) async -> Ink? {
        contents.rewritten == nil && !data.isEmpty ? editor.ink : try? await document(of: contents)
    }

    /// The document before the journal's changes.
    private func document(of contents: InkJournalContents) async throws -> Ink {
        guard let base = contents.base else { return editor.ink }
        return base.file.isEmpty ? base.initial ?? initial : try await read(base.file).ink
    }

    private mutating func continueJournal(
        _ found: (path: String, contents: InkJournalContents), _ ink: Ink, isReadOnly: Bool
    ) {
        replay(found.contents, on: ink)
        if !isReadOnly { continueWith(found) }
    }

    private mutating func replay(_ contents: InkJournalContents, on ink: Ink) {
        editor = InkEditor(ink)
        editor.restore(done: contents.done, undone: contents.undone)
        // If a change does not fit, later ones may still fit.
        for change in contents.changes { if !editor.replay(change) { noteDamage() } }
        if contents.isDamaged { noteDamage() }
        if !contents.changes.isEmpty { (isRecovered, needsSaving) = (true, true) }
    }

    private mutating func noteDamage() {
        let warning = DrawingWarning(.inkDamaged, "its journal")
        if !warnings.contains(warning) { warnings.append(warning) }
    }

    /// Reconciles changes with a file that another program has written since.
    private mutating func reconcile(_ found: (path: String, contents: InkJournalContents)) async throws {
        let (theirs, theirWarnings) = (editor.ink, warnings)
        let before = try? await document(of: found.contents)
        replay(found.contents, on: before ?? theirs)
        var additions: Ink?
        if data.isEmpty || isUnreadable {
            (isRecovered, needsSaving) = (true, true)
            // The file is gone or empty, so nothing in it can be lost.
            additions = Ink(pages: [])
        } else if let before {
            let old = found.contents.rewritten == nil ? before : try? await read(found.contents.rewritten ?? Data()).ink
            additions = old.flatMap { theirs.additions(since: $0) }
        }
        if let additions {
            let isEmpty = additions.itemCount == 0 && additions.pages.count <= (before?.pages.count ?? 0)
            if !isEmpty {
                mergedItems = max(1, additions.itemCount)
                editor.merge(additions)
            }
            pending = [
                InkJournal.body(of: .rewritten(additions: isEmpty ? Ink(pages: []) : additions, file: data))
            ]
            return continueWith(found)
        }
        // Write the second file first; then the journal is obsolete.
        let second = InkSecondFile.freeName(for: names.file)
        let bytes = XournalWriter.file(editor.ink, keepsAttachments: false)
        close(try InkFiles.create(second, bytes.data, like: names.file, isWhole: true, disk: disk))
        secondFile = second
        editor = InkEditor(theirs)
        (isRecovered, needsSaving, warnings) = (false, false, theirWarnings)
        for old in InkJournalSlots.all(of: names) { unlink(old.path) }
    }

    /// Continues with a journal.
    private mutating func continueWith(_ found: (path: String, contents: InkJournalContents)) {
        if let known = found.contents.base { base = known }
        images = found.contents.images.all
        let file = Foundation.open(found.path, O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else {
            // Happens, for example, in a folder that is currently not writable. A new journal will get the same entries
            // as soon as it can be created.
            let contents = found.contents
            let entries: [InkJournal.Entry] =
                contents.images.all.map { .image($0) } + contents.done.map { .done($0) }
                + contents.undone.map { .undone($0) }
                + contents.changes.map { .change($0) }
                + (contents.rewritten.map { [.rewritten(additions: Ink(pages: []), file: $0)] } ?? [])
            pending = entries.map(InkJournal.body) + pending
            return
        }
        var info = stat()
        fstat(file, &info)
        // The journal is never truncated: an unfinished end stays, and readers find the entries after it.
        journal = InkFile.OpenJournal(
            file: file, path: found.path, length: Int(info.st_size), number: found.contents.number, isUsed: true)
        base.file = Data()
    }

    /// Makes the opened file.
    func opened(isReadOnly: Bool, _ notify: @escaping @Sendable (InkFile.Event) -> Void) -> InkFile.Opened {
        var editor = editor
        let seen = InkFileSeen(names.file, Digest(of: data))
        var state = InkFile.State(path, names, lock, seen, base)
        (state.journal, state.needsSaving) = (journal, needsSaving)
        (state.keepsOriginal, state.keepsAttachments) = (keepsOriginal, !keepsOriginal)
        _ = state.takeNew(images)
        let file = InkFile(state, isReadOnly: isReadOnly, disk: disk, read: read, notify: notify)
        if !pending.isEmpty { file.append(pending) }
        // Do this here, so that the main thread need not do it when it shows the first page.
        for page in editor.ink.pages.indices { _ = editor.boxes(ofPage: page) }
        return InkFile.Opened(
            file: file, editor: editor, warnings: warnings, isRecovered: isRecovered, mergedItems: mergedItems,
            secondFile: secondFile)
    }
}
