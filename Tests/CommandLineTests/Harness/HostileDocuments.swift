import Foundation
import Testing

/// The documents of `Tests/Hostile`: each begins with a comment about its attack.
struct HostileDocument {
    /// A name such as `limits/css-blur`.
    let name: String
    /// The text with its tokens unreplaced.
    let source: String

    /// The expected outcome of its drawing, from its first line: "<!-- What it tries. End: hung -->".
    var end: String {
        get throws {
            String(try #require(source.firstMatch(of: #/^<!-- [^\n]+\. End: ([a-z -]+) -->/#), "\(name)").1)
        }
    }

    /// Whether it attacks with scripts.
    var hasScript: Bool { source.contains("<script>") }

    static func all(_ kinds: String...) throws -> [HostileDocument] {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Hostile").path
        return try kinds.flatMap { kind in
            try FileManager.default.contentsOfDirectory(atPath: "\(root)/\(kind)").sorted()
                .filter { $0.hasSuffix(".html") }
                .map {
                    HostileDocument(
                        name: "\(kind)/\($0.dropLast(5))",
                        source: try String(contentsOfFile: "\(root)/\(kind)/\($0)", encoding: .utf8))
                }
        }
    }

    /// Writes the document with `__REPEAT_N__text__END__` replaced by N copies of the text. In the copies,
    /// `__NUMBER__` counts from 0 and `__NEXT__` from 1. A file of more than 128 MB has the right size but is empty
    /// at the end.
    func write(to path: String) throws {
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        let file = FileHandle(forWritingAtPath: path)!
        defer { try? file.close() }
        var rest = source[...]
        while let start = rest.range(of: "__REPEAT_") {
            try file.write(contentsOf: Data(rest[..<start.lowerBound].utf8))
            let countEnd = rest[start.upperBound...].range(of: "__")!
            let count = Int(rest[start.upperBound..<countEnd.lowerBound])!
            let end = rest[countEnd.upperBound...].range(of: "__END__")!
            try write(rest[countEnd.upperBound..<end.lowerBound], times: count, to: file)
            rest = rest[end.upperBound...]
        }
        try file.write(contentsOf: Data(rest.utf8))
    }

    private func write(_ text: Substring, times count: Int, to file: FileHandle) throws {
        if !text.contains("__N") {
            var data = Data(text.utf8)
            let size = data.count * count
            if size > 128 << 20 { return try file.truncate(atOffset: try file.offset() + UInt64(size)) }
            // Copying byte by byte, a debug build would need a minute for all documents.
            while data.count < size { data.append(data.prefix(size - data.count)) }
            return try file.write(contentsOf: data)
        }
        // The text between the numbers, and the offset of each number from the index.
        let parts = text.components(separatedBy: "__N").enumerated().map { index, part in
            index == 0
                ? (0, part)
                : part.hasPrefix("UMBER__") ? (0, String(part.dropFirst(7))) : (1, String(part.dropFirst(5)))
        }
        var all = ""
        for index in 0..<count {
            all += parts[0].1
            for part in 1..<parts.count {
                all += String(index + parts[part].0)
                all += parts[part].1
            }
        }
        try file.write(contentsOf: Data(all.utf8))
    }
}
