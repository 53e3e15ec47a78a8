import Foundation

/// A file of rows, each with what is drawn and how: `identifier`, `html` or `file`, and options of the command line.
enum Manifest {
    static let ownKeys: Set = ["identifier", "html", "file"]

    /// Reads all rows and checks them.
    static func jobs(_ file: RowFile, _ settings: inout RowSettings) throws(UsageError) -> [Job] {
        var jobs: [Job] = []
        var names = RowNames()
        for line in file.lines {
            let (object, place) = (try file.object(at: line), file.place(of: line))
            let identifier = try RowIdentifier.read(object, at: place)
            try names.add(identifier, at: line, of: file)
            let content = try content(object, at: place, folder: file.folder)
            let options = object.filter { !ownKeys.contains($0.key) }
            jobs.append(
                Job(
                    .row(Row(file: file, line: line, identifier: identifier, content: content)),
                    try settings.settings(for: options, at: place)))
        }
        return jobs
    }

    private static func content(
        _ object: [String: JSONValue], at place: String, folder: String?
    ) throws(UsageError) -> Row.Content {
        switch (object["html"], object["file"]) {
        case (.text?, nil): return .html
        case (nil, .text(let path)?):
            if path.isEmpty || path.utf8.contains(0) {
                throw UsageError("\(place): \"file\" takes the path of an HTML file, not \(path.quoted)")
            }
            guard let folder, !path.hasPrefix("/") else { return .file(path) }
            return .file((folder as NSString).appendingPathComponent(path))
        case (nil, nil): throw UsageError("\(place): there is neither \"html\" nor \"file\"; give one of them")
        case (.some, .some): throw UsageError("\(place): \"html\" and \"file\" cannot both be; use one")
        case (let value?, nil): throw UsageError("\(place): \"html\" takes text, not \(value.kindName)")
        case (nil, let value?): throw UsageError("\(place): \"file\" takes text, not \(value.kindName)")
        }
    }
}

/// The identifiers so far: each is there once.
struct RowNames {
    /// By bytes, as file systems compare names.
    private var lines: [[UInt8]: Int] = [:]

    mutating func add(_ identifier: String, at line: RowFile.Line, of file: RowFile) throws(UsageError) {
        guard let other = lines.updateValue(line.number, forKey: Array(identifier.utf8)) else { return }
        throw UsageError(
            "\(file.place(of: line)): line \(other) has the identifier \(identifier.quoted) too; rename one")
    }
}
