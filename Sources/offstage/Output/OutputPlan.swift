import Foundation
import Offstage
import OffstageRequests
import OffstageService

/// Where the files of each input's pictures go.
struct OutputPlan: Sendable {
    enum Place: Sendable {
        /// Below a folder, under the input's identifier.
        case folder(String)
        /// One picture, to this file.
        case file(String)
        /// One picture, to standard output.
        case standardOutput

        /// Whose extension says the format.
        var file: String? {
            if case .file(let path) = self { path } else { nil }
        }
    }

    let place: Place
    /// Of names below a folder.
    let pattern: NamePattern
    /// Each document is put beside its picture.
    let savesHTML: Bool
    private let tree: OutputTree?

    init(_ place: Place, pattern: NamePattern = .standard, savesHTML: Bool = false) {
        self.savesHTML = savesHTML
        self.place = place
        tree = if case .folder(let folder) = place { OutputTree(below: folder) } else { nil }
        self.pattern = pattern
    }

    /// Where each of the settings' variants goes; none for standard output.
    ///
    /// - Parameters:
    ///   - identifier: the input's.
    ///   - part: what follows the identifier of a part.
    func paths(_ identifier: String, part: String = "", _ settings: Settings) -> [String] {
        switch place {
        case .folder(let folder):
            // The picture's own file has the picture's name, a thumbnail too.
            let variants = [ImageVariant(settings.variants[0].format)] + settings.variants.dropFirst()
            return variants.map {
                (folder as NSString).appendingPathComponent(
                    pattern.path(
                        identifier: identifier, part: part, scale: settings.snippet.geometry.scale, variant: $0))
            }
        case .file(let path):
            let name = withoutExtension(path)
            return [path] + settings.variants.dropFirst().map { name + $0.suffix }
        case .standardOutput:
            return []
        }
    }

    func withoutExtension(_ path: String) -> String {
        let fileExtension = (path as NSString).pathExtension
        return fileExtension.isEmpty ? path : String(path.dropLast(fileExtension.count + 1))
    }

    /// What a job's pictures are kept under: where the picture goes, which no other picture of the user's does; for standard
    /// output, where it comes from.
    func cacheIdentifier(of job: Job) -> String {
        let path = paths(job.input.identifier, job.settings).first ?? "standard output of " + job.input.source
        return absolutePath(path)
    }

    /// Puts a picture's file in its place.
    ///
    /// - Throws: `FileError`, and `UsageError` for a symbolic link that leads out of the folder: a part's number was not known
    ///   when names were checked.
    func write(_ data: Data, to path: String) throws {
        if let tree { try tree.write(data, to: path) } else { try AtomicFile.write(data, to: path) }
    }
}
