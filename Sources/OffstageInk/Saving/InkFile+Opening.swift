import Foundation
import Offstage

extension InkFile {
    /// Opens a file to change it. A file that does not exist is an empty page, and is written with the first `save`.
    ///
    /// If another program has written the file since changes were journaled (the program was killed), what it has added is merged with the
    /// changes. If it did more than add, the changes are written into a second file, `Opened.secondFile`.
    ///
    /// - Parameters:
    ///   - path: of a file that `engine` can read. `save` writes Xournal++'s format, whatever the file has been, and keeps what
    ///     that cannot store.
    ///   - engine: reads the file, in a jailed worker.
    ///   - limits: of the file. Default `InkLimits()`.
    ///   - initial: the document of a file that does not exist. Default one empty page.
    ///   - progress: called with the items that have arrived, in order, on any thread: to show them before the file is complete. They
    ///     lack what only the journal has. Default none.
    ///   - notify: called on any thread.
    /// - Returns: the file, and its document.
    /// - Throws: the error of reading it, a damaged file's included.
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
    /// The file cannot be read, and a journal has what it was.
    private var isUnreadable = false
    private var mergedItems = 0
    private var secondFile: String?
    private var journal = InkFile.OpenJournal()
    private var base = InkJournal.Base()
    private var (needsSaving, keepsOriginal) = (false, false)
    /// Entries that the journal needs before it fits the file.
    private var pending: [Data] = []
    /// Of textures, which the journal has.
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
                    // Another program may have been killed while it wrote the file. A journal has all of it.
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

    /// Makes the changes of journals again.
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
            // Without changes, the journal may still have what the file lacked when it was last seen, because it could not be read.
            let hasMore = !found.contents.changes.isEmpty || found.contents.rewritten != nil
            if hasMore || isUnreadable { try await reconcile(found) }
        }
        _ = editor.takeChanges()
    }

    /// True for a file of several names that a killed program was about to write in place.
    private func isCutOff(_ journals: [(path: String, contents: InkJournalContents)]) -> Bool {
        guard journals.count == 2, let new = journals[0].contents.base, let old = journals[1].contents.file,
            new.inode == base.inode, new.device == base.device
        else { return false }
        return InkFileReplacement.isCutOff(data, old: old, new: new.file)
    }

    /// The document before the changes of a journal of this file; nil if the journal is damaged there.
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
        // A change that does not fit was undone by nobody; what follows may still fit.
        for change in contents.changes { if !editor.replay(change) { noteDamage() } }
        if contents.isDamaged { noteDamage() }
        if !contents.changes.isEmpty { (isRecovered, needsSaving) = (true, true) }
    }

    private mutating func noteDamage() {
        let warning = DrawingWarning(.inkDamaged, "its journal")
        if !warnings.contains(warning) { warnings.append(warning) }
    }

    /// Brings changes together with a file that another program has written since.
    private mutating func reconcile(_ found: (path: String, contents: InkJournalContents)) async throws {
        let (theirs, theirWarnings) = (editor.ink, warnings)
        let before = try? await document(of: found.contents)
        replay(found.contents, on: before ?? theirs)
        var additions: Ink?
        if data.isEmpty || isUnreadable {
            (isRecovered, needsSaving) = (true, true)
            // The file is gone, or empty: nothing in it can be lost.
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
        // First the second file; then the journal is out of date.
        let second = InkSecondFile.freeName(for: names.file)
        let bytes = XournalWriter.file(editor.ink, keepsAttachments: false)
        close(try InkFiles.create(second, bytes.data, like: names.file, isWhole: true, disk: disk))
        secondFile = second
        editor = InkEditor(theirs)
        (isRecovered, needsSaving, warnings) = (false, false, theirWarnings)
        for old in InkJournalSlots.all(of: names) { unlink(old.path) }
    }

    /// Appends to a journal from now on.
    private mutating func continueWith(_ found: (path: String, contents: InkJournalContents)) {
        if let known = found.contents.base { base = known }
        images = found.contents.images.all
        let file = Foundation.open(found.path, O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else {
            // Such as in a folder that cannot be written now. A new journal has the same entries, as soon as it can be made.
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
        // It is never shortened: an unfinished end stays, and its reader finds what follows.
        journal = InkFile.OpenJournal(
            file: file, path: found.path, length: Int(info.st_size), number: found.contents.number, isUsed: true)
        base.file = Data()
    }

    /// The opened file.
    func opened(isReadOnly: Bool, _ notify: @escaping @Sendable (InkFile.Event) -> Void) -> InkFile.Opened {
        var editor = editor
        let seen = InkFileSeen(names.file, Digest(of: data))
        var state = InkFile.State(path, names, lock, seen, base)
        (state.journal, state.needsSaving) = (journal, needsSaving)
        (state.keepsOriginal, state.keepsAttachments) = (keepsOriginal, !keepsOriginal)
        _ = state.takeNew(images)
        let file = InkFile(state, isReadOnly: isReadOnly, disk: disk, read: read, notify: notify)
        if !pending.isEmpty { file.append(pending) }
        // Here, and not on the main thread when the first page is shown.
        for page in editor.ink.pages.indices { _ = editor.boxes(ofPage: page) }
        return InkFile.Opened(
            file: file, editor: editor, warnings: warnings, isRecovered: isRecovered, mergedItems: mergedItems,
            secondFile: secondFile)
    }
}
