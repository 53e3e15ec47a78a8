import Foundation
import OffstageRequests

/// A file of rows, each with a document and its settings: `identifier`, `html` or `file`, and options of the command
/// line.
enum Manifest {
    static let ownKeys = Set(SourceRegistry.contentKeys + ["identifier"])

    /// Reads all rows and checks them.
    static func jobs(_ file: RowFile, _ settings: inout RowSettings) throws(UsageError) -> [Job] {
        var jobs: [Job] = []
        var names = RowNames()
        for line in file.lines {
            let object = try file.object(at: line)
            let place = RowIdentifier.name(of: object, at: file.place(of: line), limit: RowIdentifier.longestPath)
            let identifier = try RowIdentifier.read(object, at: place, limit: RowIdentifier.longestPath)
            try names.add(identifier, at: line, of: file)
            let document = try SourceDocument(object, at: place, folder: file.folder)
            let row = InputRow(
                file: file, line: line, identifier: identifier,
                content: document.file.map { .file($0) } ?? .text)
            let options = object.filter { !ownKeys.contains($0.key) }
            jobs.append(Job(.row(row), try settings.settings(for: options, of: document.source, at: place)))
        }
        return jobs
    }
}

/// The identifiers so far, which have to be unique.
struct RowNames {
    /// The line numbers by the bytes of the identifiers, because file systems compare bytes.
    private var lines: [[UInt8]: Int] = [:]

    mutating func add(_ identifier: String, at line: RowFile.Line, of file: RowFile) throws(UsageError) {
        guard let other = lines.updateValue(line.number, forKey: Array(identifier.utf8)) else { return }
        throw UsageError(
            "\(file.place(of: line)): line \(other) has the identifier \(identifier.quoted) too; rename one")
    }
}
