import Foundation
import Offstage

/// A document with its options and the files beside it, for a machine that has none of them.
package struct PortableRequest: Codable, Sendable, Equatable {
    private enum Kind: String, Codable { case text, bytes, file }

    /// The name of the document's source.
    package private(set) var source: String
    private var kind: Kind
    /// The name for messages; for a file, the last part of its path.
    private var name: String
    private var document: Data
    private var options: [String: [String]]
    /// The contents of the files that options name, in the order of the options' values.
    private var optionFiles: [String: [Data]]
    /// The files that the document may load, by their paths below its folder.
    package private(set) var files: [String: Data] = [:]

    /// - Parameters:
    ///   - document: reads its file.
    ///   - settings: the settings of the document.
    /// - Throws: `SourceFileError`.
    package init(_ document: SourceDocument, _ settings: Settings) throws(SourceFileError) {
        source = document.source.name
        name = document.name
        switch document.content {
        case .file(let path, _): (kind, name) = (.file, (path as NSString).lastPathComponent)
        case .bytes: kind = .bytes
        case .text: kind = .text
        }
        self.document = try document.bytes(limit: settings.inputLimit)
        // The machine that draws has its own limits.
        let limits = Set(SourceRegistry.limits.map(\.name))
        options = settings.options.values.filter { !limits.contains($0.key) && $0.key != "output" && $0.key != "out" }
        optionFiles = [:]
        for option in RowSettings.table where option.value == "FILE" {
            for path in options[option.name] ?? [] {
                optionFiles[option.name, default: []].append(
                    try SourceFileError.read(path, limit: settings.inputLimit))
            }
        }
    }

    /// The reason why requests with these settings cannot be sent; nil if they can.
    package static func problem(with settings: Settings) -> String? {
        settings.options.values["ink"] == nil ? nil : "--ink is not sent to other machines; render it without --via"
    }

    /// - Parameter data: the bytes from `encoded`.
    /// - Throws: for data that is not a request, or that a newer program has encoded.
    package init(_ data: Data) throws { self = try PropertyListDecoder().decode(Self.self, from: data) }

    package var encoded: Data {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        // Texts, bytes and lists of them can always be encoded.
        return (try? encoder.encode(self)) ?? Data()
    }

    /// Adds a file that the document loads.
    ///
    /// - Returns: false for a path that is outside the document's folder.
    @discardableResult
    package mutating func add(_ content: Data, at path: String) -> Bool {
        guard Self.isBelow(path) else { return false }
        files[path] = content
        return true
    }

    private static func isBelow(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return !path.utf8.contains(0) && parts.allSatisfy { !$0.isEmpty && $0 != ".." && $0 != "." }
    }

    /// True if the client wants page scripts to run.
    package var runsScripts: Bool { options["javascript"] != nil }

    /// Makes the request on this machine.
    ///
    /// - Parameters:
    ///   - folder: an empty folder for the request's files, needed until the drawing is finished.
    ///   - limits: options for limits.
    /// - Throws: `UsageError`, `SourceFileError` and `FileError`.
    package func request(
        in folder: String, limits: ParsedOptions = ParsedOptions()
    ) throws -> (request: any DrawingRequest, variants: [FileVariant]) {
        guard let source = SourceRegistry.all.first(where: { $0.name == source }) else {
            throw UsageError("this machine has no source \(source.quoted)")
        }
        let base = folder + "/document"
        try Self.write(files, in: base)
        var options = options
        for (name, contents) in optionFiles {
            let paths = Dictionary(uniqueKeysWithValues: contents.enumerated().map { ("\(name)-\($0)", $1) })
            try Self.write(paths, in: folder)
            options[name] = contents.indices.map { "\(folder)/\(name)-\($0)" }
        }
        if options["base"] != nil { options["base"] = [base] }
        let names = Set(SourceRegistry.limits.map(\.name))
        let own = limits.values.filter { names.contains($0.key) }
        let settings = try Settings(
            ParsedOptions(values: options.merging(own) { _, own in own }), of: source)
        var document: SourceDocument
        switch kind {
        case .text:
            document = SourceDocument(
                .text(String(decoding: self.document, as: UTF8.self)), of: source, name: name,
                folder: files.isEmpty ? nil : base)
        case .bytes: document = SourceDocument(.bytes(self.document), of: source, name: name)
        case .file:
            let last = (name as NSString).lastPathComponent
            guard Self.isBelow(last), !last.contains("/") else {
                throw UsageError("\(name.quoted) is not a file name")
            }
            try Self.write([last: self.document], in: base)
            document = SourceDocument(file: base + "/" + last)
        }
        let request = try settings.request(for: document, identifier: "request")
        return (request, settings.variants.map { $0.resolved(for: request) })
    }

    private static func write(_ files: [String: Data], in folder: String) throws {
        for (path, content) in files {
            guard isBelow(path) else { throw UsageError("\(path.quoted) is outside the document's folder") }
            let file = folder + "/" + path
            try FileManager.default.createDirectory(
                atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try content.write(to: URL(fileURLWithPath: file))
        }
    }
}
