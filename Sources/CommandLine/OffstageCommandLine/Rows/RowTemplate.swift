import Foundation
import Offstage
import OffstageHTML
import OffstageRequests

/// The template for rows of values: a file, or the built-in one.
enum RowTemplate: Sendable {
    case file(Template, path: String)
    case presentation

    /// The name of the built-in template in `--template`.
    static let presentationName = "builtin:presentation"

    /// - Parameter name: a file, or `builtin:presentation`.
    init(_ name: String) throws(UsageError) {
        if name == Self.presentationName {
            self = .presentation
            return
        }
        if name.hasPrefix("builtin:") {
            throw UsageError("--template has no \(name); use \(Self.presentationName) or a file")
        }
        let bytes: Data
        do {
            bytes = try PlainFile.open(name).readToEnd() ?? Data()
        } catch {
            throw UsageError("--template: \(error)")
        }
        guard let text = bytes.withUnsafeBytes({ String(validating: $0, as: UTF8.self) }) else {
            throw UsageError("--template \(name) is not UTF-8; save it as UTF-8")
        }
        self = .file(Template(text), path: name)
    }

    /// The folder for relative URLs: the file's own folder, or nil.
    var base: String? { files.first.map(parentFolder(of:)) }

    var files: [String] {
        if case .file(_, let path) = self { [path] } else { [] }
    }

    func uses(_ token: String) -> Bool {
        if case .file(let template, _) = self { template.tokens.contains(token) } else { false }
    }

    /// - Returns: default options, which the row and the command line override.
    func check(_ values: [String: String]) throws(TemplateError) -> [String: String] {
        switch self {
        case .file(let template, _):
            try template.check(values.keys)
            return [:]
        case .presentation:
            let page = try PresentationTemplate(values: values)
            var defaults = ["background": page.backgroundColor.css]
            if let width = page.width { defaults["width"] = "\(width)" }
            return defaults
        }
    }

    func document(_ values: [String: String]) throws(TemplateError) -> String {
        switch self {
        case .file(let template, _): return try template.filled(with: values)
        case .presentation: return try PresentationTemplate(values: values).document()
        }
    }
}
