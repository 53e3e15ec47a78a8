import Foundation
import Offstage
import OffstageRequests
import OffstageService

/// `--save-html`: saves the documents as the engine received them, beside the pictures.
extension OutputPlan {
    /// The path of a job's saved document; nil if none is saved.
    func htmlPath(of job: Job) -> String? {
        if !savesHTML { return nil }
        switch place {
        case .folder(let folder):
            let name = pattern.path(
                identifier: job.input.identifier, part: "", scale: job.settings.scale, mark: "",
                fileExtension: "html")
            return (folder as NSString).appendingPathComponent(name)
        case .file(let path): return withoutExtension(path) + ".html"
        case .standardOutput: return nil
        }
    }

    /// - Throws: the same errors as `write`.
    func save(_ html: Data, of job: Job) throws {
        guard let path = htmlPath(of: job) else { return }
        if (try? Digest(ofFile: path)) != Digest(of: html) { try write(html, to: path) }
    }

    /// Checks that a saved document does not overwrite an input, a picture, or anything but a regular file.
    func checkDocuments(_ jobs: [Job]) throws(UsageError) {
        if !savesHTML { return }
        if case .standardOutput = place {
            throw UsageError("--save-html cannot be combined with -o -; use -o FILE or --out FOLDER")
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
                    "\(source) would be replaced by a file of --save-html; choose another path for the pictures")
            }
            // With --out, this fails only one result.
            if case .file = place, let kind = OutputFolder.kind(of: path), kind != S_IFREG {
                throw UsageError(
                    "\(path), for --save-html, exists and is not a regular file; choose another path with -o")
            }
        }
    }
}
