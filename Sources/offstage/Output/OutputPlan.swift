import Foundation
import Offstage

/// Where each input's picture goes.
enum OutputPlan: Sendable {
    /// Below a folder, under the input's identifier.
    case folder(String)
    /// One picture, to this file.
    case file(String)
    /// One picture, to standard output.
    case standardOutput

    /// The picture's path; nil for standard output.
    func path(for input: Input) -> String? {
        switch self {
        case .folder(let folder): (folder as NSString).appendingPathComponent(input.identifier + ".png")
        case .file(let path): path
        case .standardOutput: nil
        }
    }

    /// Checks before anything is drawn that every input has a name of its own and that its place can be written.
    func check(_ inputs: [Input]) throws(UsageError) {
        switch self {
        case .folder(let folder):
            try checkNames(inputs)
            try prepare(folder)
        case .file(let path):
            if inputs.count != 1 {
                throw UsageError("-o takes one input, there are \(inputs.count); use --out FOLDER for several")
            }
            var info = stat()
            if stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFDIR {
                throw UsageError("-o \(path) is a folder; name a file, or use --out \(path)")
            }
            try prepare((path as NSString).deletingLastPathComponent)
        case .standardOutput:
            if inputs.count != 1 { throw UsageError("-o - takes one input, there are \(inputs.count)") }
        }
    }

    private func checkNames(_ inputs: [Input]) throws(UsageError) {
        var owners: [String: Input] = [:]
        for input in inputs {
            if case .unusable = input { continue }
            if let other = owners.updateValue(input, forKey: input.identifier) {
                throw UsageError(
                    "\(other.name) and \(input.name) would both become \(path(for: input)!); "
                        + "rename one or draw them into two folders")
            }
        }
    }

    private func prepare(_ folder: String) throws(UsageError) {
        if folder.isEmpty { return }
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw UsageError("cannot create the folder \(folder); choose another place for the pictures")
        }
        guard access(folder, W_OK | X_OK) == 0 else {
            throw UsageError(
                "cannot write into \(folder): \(String(cString: strerror(errno))); choose another place for the pictures"
            )
        }
    }

    /// Puts a picture's bytes in their place.
    func write(_ data: Data, for input: Input) throws(FileError) {
        guard let path = path(for: input) else {
            do { try FileHandle.standardOutput.write(contentsOf: data) } catch {
                throw FileError("write", path: "standard output", code: EIO)
            }
            return
        }
        if case .folder = self { Self.createParent(of: path) }
        try AtomicFile.write(data, to: path)
    }

    /// The tree of a folder input is kept. Failure shows in the writing that follows, with its reason.
    private static func createParent(of path: String) {
        let parent = (path as NSString).deletingLastPathComponent
        if access(parent, F_OK) == 0 { return }
        try? FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    }
}
