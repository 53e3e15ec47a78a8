import Foundation
import Offstage

extension InkDocument {
    /// The paths of all background files that the document's pages refer to, wherever they are. A program that writes a
    /// file must not overwrite one of them. Some may not exist.
    ///
    /// - Parameter ink: the content of the document.
    /// - Returns: each path once, in the order of the pages.
    package func backgroundPaths(of ink: Ink) -> [String] {
        var paths: [String] = []
        for page in ink.pages {
            let reference: InkFileReference
            switch page.background {
            case .paper: continue
            case .document(let file, _), .image(let file): reference = file
            }
            if reference.name.isEmpty || reference.name.utf8.contains(0) { continue }
            let path = path(of: reference)
            if !paths.contains(path) { paths.append(path) }
        }
        return paths
    }

    private func path(of reference: InkFileReference) -> String {
        // Xournal++ stores `bg.pdf` as `notes.xopp.bg.pdf`.
        let name = reference.isAttached ? "\(self.name).\(reference.name)" : reference.name
        guard let folder, !folder.isEmpty, !name.hasPrefix("/") else { return name }
        return "\(folder)/\(name)"
    }
}
