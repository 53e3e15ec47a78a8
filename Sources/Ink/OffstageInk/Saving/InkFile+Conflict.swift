import Foundation
import Offstage

/// Handles files that another program has written.
extension InkFile {
    /// Puts the items that another program has added to the file on top of the editor's layers, and saves both. Undo
    /// keeps them.
    ///
    /// - Parameter editor: this file's editor.
    /// - Returns: the number of added items. 0 if the file has other changes or was not written; then nothing changes.
    @discardableResult
    public func merge(into editor: inout InkEditor) -> Int {
        guard let conflict = state.withLock({ $0.conflict }), let additions = conflict.additions else { return 0 }
        append(from: &editor)
        editor.merge(additions)
        _ = editor.takeChanges()
        append([InkJournal.body(of: .rewritten(additions: additions, file: conflict.data))])
        state.withLock { state in
            state.conflict = nil
            state.seen = conflict.seen
            if !conflict.isOurs { state.keepsOriginal = true }
        }
        begin(&editor, isSecond: false)
        return max(1, additions.itemCount)
    }

    /// Checks if a file has only additions. Does not write anything.
    func compare(_ data: Data, _ seen: InkFileSeen) {
        let (journal, base) = state.withLock { ($0.journal, $0.base) }
        let contents = journal.file < 0 ? nil : InkFiles.read(journal.path).flatMap { InkJournalContents($0) }
        let (old, initial) = (contents?.file ?? base.file, contents?.base?.initial ?? base.initial)
        Task {
            var conflict = Conflict(data: data, seen: seen, additions: nil, isOurs: false)
            if let (ink, isOurs) = try? await read(data) {
                conflict.isOurs = isOurs
                if let before = old.isEmpty ? initial : try? await read(old).ink {
                    conflict.additions = ink.additions(since: before)
                }
            }
            let found = conflict
            queue.async {
                self.state.withLock { state in
                    state.conflict = found
                    state.needsSaving = true
                }
                self.finishSaving()
                self.notify(.changedElsewhere(canMerge: found.additions != nil))
            }
        }
    }
}
