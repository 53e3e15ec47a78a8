import Foundation
import Offstage

/// `--save-html`: the documents as the engine got them, beside the pictures.
extension OutputPlan {
    /// Where an input's document goes; nil where none is saved.
    ///
    /// - Parameter identifier: the input's, without a part's number.
    func htmlPath(named identifier: String) -> String? {
        if !savesHTML { return nil }
        switch place {
        case .folder(let folder): return (folder as NSString).appendingPathComponent(identifier + ".html")
        case .file(let path): return withoutExtension(path) + ".html"
        case .standardOutput: return nil
        }
    }

    func save(_ html: Data, named identifier: String) throws(FileError) {
        guard let path = htmlPath(named: identifier) else { return }
        if case .folder = place { Self.create(parentFolder(of: path)) }
        try AtomicFile.write(html, to: path)
    }

    /// A saved document takes no input's place, nor a picture's, nor what is no plain file.
    func checkDocuments(_ inputs: [Input]) throws(UsageError) {
        if !savesHTML { return }
        var sources: [FileNumber: String] = [:]
        for case .file(let source, _) in inputs { if let number = FileNumber(source) { sources[number] = source } }
        for input in inputs {
            if case .unusable = input { continue }
            guard let path = htmlPath(named: input.identifier) else { continue }
            if paths(named: input.identifier).contains(where: { $0.utf8.elementsEqual(path.utf8) }) {
                throw UsageError("the picture and its --save-html would both be \(path); give the picture another name")
            }
            if let source = FileNumber(path).flatMap({ sources[$0] }) {
                throw UsageError(
                    "\(source) would be replaced by what --save-html saves; choose another place for the pictures")
            }
            // With --out it costs one result.
            if case .file = place, let kind = Self.kind(of: path), kind != S_IFREG {
                throw UsageError("\(path), for --save-html, is there and no plain file; choose another place with -o")
            }
        }
    }
}

/// What a file is, whatever its name.
private struct FileNumber: Hashable {
    let device: dev_t
    let number: ino_t

    /// Nil where there is nothing.
    init?(_ path: String) {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        (device, number) = (info.st_dev, info.st_ino)
    }
}
