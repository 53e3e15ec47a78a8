import Foundation
import Offstage
import OffstageRequests
import OffstageService

/// `--save-html`: the documents as the engine got them, beside the pictures.
extension OutputPlan {
    /// Where a job's document goes; nil where none is saved.
    func htmlPath(of job: Job) -> String? {
        if !savesHTML { return nil }
        switch place {
        case .folder(let folder):
            let name = pattern.path(
                identifier: job.input.identifier, part: "", scale: job.settings.snippet.geometry.scale, mark: "",
                fileExtension: "html")
            return (folder as NSString).appendingPathComponent(name)
        case .file(let path): return withoutExtension(path) + ".html"
        case .standardOutput: return nil
        }
    }

    /// - Throws: as `write`.
    func save(_ html: Data, of job: Job) throws {
        guard let path = htmlPath(of: job) else { return }
        try write(html, to: path)
    }

    /// A saved document takes no input's place, nor a picture's, nor what is no plain file.
    func checkDocuments(_ jobs: [Job]) throws(UsageError) {
        if !savesHTML { return }
        if case .standardOutput = place {
            throw UsageError("--save-html has no place beside -o -; use -o FILE or --out FOLDER")
        }
        var sources: [FileNumber: String] = [:]
        for source in jobs.compactMap(\.input.sourceFile) {
            if let number = FileNumber(source) { sources[number] = source }
        }
        for job in jobs {
            if case .unusable = job.input { continue }
            guard let path = htmlPath(of: job) else { continue }
            if paths(job.input.identifier, job.settings).contains(where: { $0.utf8.elementsEqual(path.utf8) }) {
                throw UsageError("the picture and its --save-html would both be \(path); give the picture another name")
            }
            if let source = FileNumber(path).flatMap({ sources[$0] }) {
                throw UsageError(
                    "\(source) would be replaced by what --save-html saves; choose another place for the pictures")
            }
            // With --out it costs one result.
            if case .file = place, let kind = OutputFolder.kind(of: path), kind != S_IFREG {
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
