import Foundation
import Offstage

extension InkFile {
    /// Opens a file to change it. A file that does not exist is an empty page, and is written with the first `save`.
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
        let lock = await InkFileLock.take(for: path) { notify(.openedElsewhere) }
        var (ink, warnings): (Ink, [DrawingWarning]) = (initial, [])
        var data = Data()
        var isOurs = false
        if access(path, F_OK) == 0 {
            let document = try InkDocument(contentsOf: path, limit: limits.budget.documentBytes)
            data = document.data
            if !data.isEmpty {
                let (read, report) = try await engine.read(document, limits: limits, progress: progress)
                (ink, warnings) = (read, report.warningsOfAll)
                isOurs = report.isWhollyXournal && !isZip(data)
            }
        }
        var editor = InkEditor(ink)
        let digest = Digest(of: data)
        let name = InkJournalFile.path(for: path, digest)
        let (length, isChanged) = recover(&editor, from: name, digest)
        _ = editor.takeChanges()
        var journal: Int32 = -1
        if lock != nil {
            journal =
                try length.map { length throws(FileError) in try InkJournalFile.open(name, length: length) }
                ?? InkJournalFile.create(name, InkJournal.head(for: digest))
            InkJournalFile.removeOthers(than: name, of: path)
        }
        let file = InkFile(
            path: path, lock: lock, journal: journal, journalPath: name, needsSaving: data.isEmpty || isChanged,
            keepsOriginal: !data.isEmpty && !isOurs, notify: notify)
        // Here, and not on the main thread when the first page is shown.
        for page in editor.ink.pages.indices { _ = editor.boxes(ofPage: page) }
        return Opened(file: file, editor: editor, warnings: warnings, isRecovered: isChanged)
    }

    /// True for a file that can contain backgrounds and sounds, which `save` does not write.
    private static func isZip(_ data: Data) -> Bool { data.starts(with: [0x50, 0x4B, 3, 4]) }

    /// Makes the changes of a journal again.
    ///
    /// - Returns: the length of the journal, nil if there is none, and whether it has changes of the document.
    private static func recover(
        _ editor: inout InkEditor, from path: String, _ digest: Digest
    ) -> (length: Int?, isChanged: Bool) {
        guard let data = try? PlainFile.open(path).readToEnd(), let journal = InkJournal.read(data, for: digest) else {
            return (nil, false)
        }
        var (done, undone): ([InkEdit], [InkEdit]) = ([], [])
        var isRestored = false
        for entry in journal.entries {
            switch entry {
            case .done(let edit): done.append(edit)
            case .undone(let edit): undone.append(edit)
            case .change(let change):
                if !isRestored { editor.restore(done: done, undone: undone) }
                isRestored = true
                // A change that does not fit was undone by nobody; what follows may still fit.
                _ = editor.replay(change)
            }
        }
        if !isRestored { editor.restore(done: done, undone: undone) }
        return (journal.length, isRestored)
    }
}
