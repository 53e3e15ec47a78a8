import Foundation
import OffstagePages

extension SourceInfo {
    /// Adds the annotations of a document.
    mutating func add(_ file: AnnotationFile) {
        let all = file.pages.sorted { $0.key < $1.key }.flatMap { page, list in list.map { (page, $0) } }
        values["annotations"] = .list(all.map { .object(Self.values(of: $1, page: $0)) })
        lines += all.map { Self.line(of: $1, page: $0) }
    }

    private static func values(of annotation: PageAnnotation, page: Int) -> [String: JSONValue] {
        var values: [String: JSONValue] = ["page": .integer(page), "kind": .text(annotation.kind.rawValue)]
        if let identifier = annotation.identifier { values["identifier"] = .text(identifier) }
        if !annotation.author.isEmpty { values["author"] = .text(annotation.author) }
        if let modified = annotation.modified { values["modified"] = .text(modified.formatted(.iso8601)) }
        if !annotation.text.isEmpty { values["text"] = .text(annotation.text) }
        return values
    }

    private static func line(of annotation: PageAnnotation, page: Int) -> String {
        var words = ["page \(page)", annotation.kind.rawValue]
        if let identifier = annotation.identifier { words.append(identifier) }
        if !annotation.author.isEmpty { words.append("by \(annotation.author)") }
        if let modified = annotation.modified { words.append(modified.formatted(.iso8601)) }
        let text = annotation.text.replacing("\n", with: " ")
        return words.joined(separator: ", ") + (text.isEmpty ? "" : ": \(text)")
    }
}
