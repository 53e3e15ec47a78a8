import Foundation
import Offstage
import OffstagePages

/// A program's request to save annotations in a document, or to delete some from it.
package struct AnnotationRequest: Sendable {
    package enum Annotations: Sendable {
        case none
        /// A sidecar or XFDF, absolute or relative to the working folder.
        case file(String)
        case value(AnnotationFile)
        /// The bytes of XFDF.
        case xfdf(Data)
    }

    /// The keys of a request, in addition to those of its delivery.
    package enum Key: String, CaseIterable, Sendable {
        case file, annotations, xfdf, remove, force
        case passwordFile = "password-file"
    }

    package let document: SourceDocument
    let annotations: Annotations
    let removal: AnnotationRemoval
    let isForced: Bool
    let options: ParsedOptions
    /// The origin of the request, for messages.
    package let place: String

    package struct Saved: Sendable {
        /// The new document.
        package var data: Data
        /// Descriptions of what could not be read or written.
        package var leftOut: [String]
    }

    /// Reads the document, off the caller's thread, and saves the annotations.
    ///
    /// - Throws: `UsageError` for a wrong password file, `AnnotationFailure` for everything else.
    @concurrent
    package func saved(by engine: PageEngine) async throws -> Saved {
        let document = try AnnotatedDocument(document, options, engine)
        var (file, losses) = (AnnotationFile(), AnnotationLosses())
        switch annotations {
        case .none: break
        case .file(let path): (file, losses) = try await document.annotations(ofFile: path)
        case .value(let value): file = try await document.checked(value, name: place)
        case .xfdf(let data): (file, losses) = try await document.annotations(data, name: place)
        }
        try await document.remove(removal, in: &file)
        let saved = try await document.saving(file, isForced: isForced)
        return Saved(data: saved.data, leftOut: losses.all.map(\.description) + saved.warnings)
    }
}

extension RequestReader {
    /// Reads a request to save annotations.
    ///
    /// - Parameters:
    ///   - object: its keys.
    ///   - document: the bytes of the document, if the object names no file.
    ///   - annotations: the annotations, if they have already been read.
    ///   - place: the origin of the request, for messages: `line 3`.
    package func annotationRequest(
        _ object: [String: JSONValue], document bytes: Data? = nil, annotations value: AnnotationFile? = nil,
        at place: String
    ) throws(UsageError) -> AnnotationRequest {
        if !allowsFiles, let key = object.filter({ Self.namesFile($0.key) && $0.value.isText }).keys.min() {
            throw UsageError("\(place): \(key.quoted) names a file, but requests cannot name files here")
        }
        let document: SourceDocument
        switch (bytes, object["file"]) {
        case (let bytes?, nil): document = SourceDocument(.bytes(bytes), of: .pages, name: "the document")
        case (nil, .some):
            var named = try SourceDocument(object.filter { $0.key == "file" }, at: place, folder: folder)
            named.source = .pages
            document = named
        case (nil, nil): throw UsageError("\(place): the document is missing; give a \"file\"")
        case (.some, .some): throw UsageError("\(place): \"file\" and \"document\" cannot be combined; use one")
        }
        let annotations = try annotations(object, value, place)
        let removal = try removal(object["remove"], place)
        if case .none = annotations, removal == .none {
            throw UsageError("\(place): there is nothing to save; give \"annotations\", \"xfdf\" or \"remove\"")
        }
        var isForced = false
        switch object["force"] {
        case nil, .null: break
        case .bool(let value)?: isForced = value
        case let value?: throw UsageError("\(place): \"force\" takes true or false, not \(value.shown)")
        }
        var own: [String: [String]?] = ["variant": nil]
        if let path = try text("password-file", object, place) { own["password-file"] = [self.path(path)] }
        return AnnotationRequest(
            document: document, annotations: annotations, removal: removal, isForced: isForced,
            options: options.overlaid(with: own), place: place)
    }

    private func annotations(
        _ object: [String: JSONValue], _ value: AnnotationFile?, _ place: String
    ) throws(UsageError) -> AnnotationRequest.Annotations {
        let xfdf = try text("xfdf", object, place)
        if xfdf != nil, value != nil || object["annotations"] != nil {
            throw UsageError("\(place): \"annotations\" and \"xfdf\" cannot be combined; use one")
        }
        if let value { return .value(value) }
        if let xfdf { return .xfdf(Data(xfdf.utf8)) }
        switch object["annotations"] {
        case nil, .null: return .none
        case .text(let path)? where !path.isEmpty && !path.utf8.contains(0): return .file(self.path(path))
        case .object(let content)?:
            let data = (try? JSONEncoder().encode(JSONValue.object(content))) ?? Data()
            do throws(AnnotationFile.Problem) {
                return .value(try AnnotationFile(data, path: "\(place): \"annotations\""))
            } catch { throw UsageError("\(error)") }
        case let value?:
            throw UsageError("\(place): \"annotations\" takes an object or the path of a file, not \(value.shown)")
        }
    }

    private func removal(_ value: JSONValue?, _ place: String) throws(UsageError) -> AnnotationRemoval {
        switch value {
        case nil, .null: return .none
        case .text("all"): return .all
        case .list(let values)? where !values.isEmpty:
            var names: [String] = []
            for case .text(let name) in values { names.append(name) }
            if names.count == values.count { return .identifiers(names) }
            fallthrough
        default: throw UsageError("\(place): \"remove\" takes \"all\" or a list of identifiers")
        }
    }

    private func text(
        _ key: String, _ object: [String: JSONValue], _ place: String
    ) throws(UsageError) -> String? {
        switch object[key] {
        case nil, .null: return nil
        case .text(let text)?: return text
        case let value?: throw UsageError("\(place): \(key.quoted) takes text, not \(value.kindName)")
        }
    }

    private func path(_ path: String) -> String {
        guard let folder, !path.hasPrefix("/") else { return path }
        return (folder as NSString).appendingPathComponent(path)
    }
}

extension JSONValue {
    fileprivate var isText: Bool { if case .text = self { true } else { false } }
}
