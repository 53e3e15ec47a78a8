import Foundation
import Offstage
import OffstageRequests
import OffstageService

/// The paths of the files of each input's pictures.
struct OutputPlan: Sendable {
    enum Place: Sendable {
        /// Below a folder, by the input's identifier.
        case folder(String)
        /// A single picture, in this file.
        case file(String)
        /// A single picture, on standard output.
        case standardOutput

        /// The file whose extension gives the format.
        var file: String? {
            if case .file(let path) = self { path } else { nil }
        }
    }

    let place: Place
    /// The pattern of names below a folder.
    let pattern: NamePattern
    /// True: each document is saved beside its picture.
    let savesHTML: Bool
    private let tree: OutputTree?

    init(_ place: Place, pattern: NamePattern = .standard, savesHTML: Bool = false) {
        self.savesHTML = savesHTML
        self.place = place
        tree = if case .folder(let folder) = place { OutputTree(below: folder) } else { nil }
        self.pattern = pattern
    }

    /// The paths of the settings' variants; empty for standard output.
    ///
    /// - Parameters:
    ///   - identifier: the input's identifier.
    ///   - part: the part's suffix of the identifier.
    func paths(_ identifier: String, part: String = "", _ settings: Settings) -> [String] {
        switch place {
        case .folder(let folder):
            // The picture's own file has the picture's name, even if it is a thumbnail.
            let variants = [FileVariant(settings.variants[0].format)] + settings.variants.dropFirst()
            return variants.map {
                let name = pattern.path(identifier: identifier, part: part, scale: settings.scale, variant: $0)
                return Self.join(folder, name)
            }
        case .file(let path):
            let name = withoutExtension(path)
            return [path] + settings.variants.dropFirst().map { name + $0.suffix }
        case .standardOutput:
            return []
        }
    }

    /// Foundation takes much longer. It is only needed for a folder or a name with unusual slashes.
    private static func join(_ folder: String, _ name: String) -> String {
        let path = "\(folder)/\(name)"
        var previous: UInt8 = 0
        for byte in path.utf8 {
            if byte == UInt8(ascii: "/"), previous == byte { return (folder as NSString).appendingPathComponent(name) }
            previous = byte
        }
        let isPlain = !folder.isEmpty && previous != UInt8(ascii: "/")
        return isPlain ? path : (folder as NSString).appendingPathComponent(name)
    }

    func withoutExtension(_ path: String) -> String {
        let fileExtension = (path as NSString).pathExtension
        return fileExtension.isEmpty ? path : String(path.dropLast(fileExtension.count + 1))
    }

    /// The name of a job's pictures in the cache: the path of the picture, which is unique for the user; for standard
    /// output, the origin of the document.
    func cacheIdentifier(of job: Job) -> String {
        let path = paths(job.input.identifier, job.settings).first ?? "standard output of " + job.input.origin
        return absolutePath(path)
    }

    /// Writes a picture's file.
    ///
    /// - Throws: `FileError`, and `UsageError` for a symbolic link that leads out of the folder: when the names were
    ///   checked, the number of a part was not known.
    func write(_ data: Data, to path: String) throws {
        if let tree { try tree.write(data, to: path) } else { try AtomicFile.write(data, to: path) }
    }
}
