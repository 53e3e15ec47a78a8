import Foundation
import Offstage

/// A user's annotations for a document, in a file beside it: `score.pdf.annotations.json`. The document does not
/// change.
public struct AnnotationFile: Sendable, Hashable, Codable {
    /// The reasons why a file cannot be read.
    public enum Problem: Error, Sendable, Hashable, CustomStringConvertible {
        case unreadable(SourceFileError)
        /// The file is not an annotation file, or has a later version.
        case notAnnotations(path: String)
        /// The file is not JSON, or a value in it is missing or has the wrong type. The fault names the location and
        /// the problem, without quoting the file.
        case malformed(path: String, fault: String)

        public var description: String {
            switch self {
            case .unreadable(let error): "\(error)"
            case .notAnnotations(let path):
                "\(path) contains no annotations that this version can read; move it away to begin a new one"
            case .malformed(let path, let fault): "\(path): \(fault)"
            }
        }
    }

    private var version = 1
    /// By page, from 1, in the order of creation, which is also the drawing order.
    public private(set) var pages: [Int: [PageAnnotation]] = [:]
    /// The identifiers of the document's own annotations to delete when saving into the document, by page, from 1.
    ///
    /// An annotation of `pages` with the identifier of one of the document's own replaces that one.
    public var removed: [Int: [String]] = [:]

    /// Makes a file without annotations.
    public init() {}

    private enum Key: String, CodingKey { case version, pages, removed }

    private struct AnyKey: CodingKey {
        let stringValue: String
        let intValue: Int? = nil
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        version = try values.decode(Int.self, forKey: .version)
        guard version == 1 else {
            throw DecodingError.dataCorruptedError(forKey: .version, in: values, debugDescription: "a later version")
        }
        // With a misspelled key, the file would seem to contain no annotations.
        let known = Set(values.allKeys.map(\.stringValue))
        let all = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
        if !known.isSuperset(of: all) {
            throw ValueFault("is in a file with keys other than version, pages and removed").error(.version, values)
        }
        func byPage<Value: Decodable>(_ key: Key) throws -> [Int: Value] {
            let named = try values.decodeIfPresent([String: Value].self, forKey: key) ?? [:]
            return try named.reduce(into: [:]) { pages, entry in
                guard let page = Int(entry.key), String(page) == entry.key else {
                    throw ValueFault("has a key that is not the number of a page").error(key, values)
                }
                pages[page] = entry.value
            }
        }
        (pages, removed) = (try byPage(.pages), try byPage(.removed))
        for (page, annotations) in pages {
            var known: Set<String> = []
            for identifier in annotations.compactMap(\.identifier) where !known.insert(identifier).inserted {
                throw ValueFault("has two annotations with the same identifier on page \(page)").error(.pages, values)
            }
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(version, forKey: .version)
        try values.encode(pages, forKey: .pages)
        if !removed.isEmpty { try values.encode(removed, forKey: .removed) }
    }

    /// The maximum file size in bytes. Reading takes 15 times as much memory, and a file beside a document can be
    /// malicious.
    static let most = 32 << 20

    /// The path of a document's annotation file.
    public static func path(beside document: String) -> String { document + ".annotations.json" }

    /// Reads the annotations of a document. Empty if the file does not exist.
    ///
    /// - Parameter document: the path of the document.
    /// - Throws: the reason why the file cannot be read.
    public init(beside document: String) throws(Problem) {
        let path = Self.path(beside: document)
        if FileManager.default.fileExists(atPath: path) { try self.init(contentsOf: path) } else { self.init() }
    }

    /// Reads an annotation file.
    ///
    /// - Parameter path: the path of an existing file.
    /// - Throws: the reason why the file cannot be read.
    public init(contentsOf path: String) throws(Problem) {
        let data: Data
        do { data = try SourceFileError.read(path, limit: Self.most) } catch { throw .unreadable(error) }
        try self.init(data, path: path)
    }

    /// Reads the bytes of an annotation file.
    ///
    /// - Parameters:
    ///   - data: at most 32 MiB.
    ///   - path: for messages.
    /// - Throws: the reason why the bytes cannot be read.
    public init(_ data: Data, path: String) throws(Problem) {
        if data.count > Self.most {
            let excess = LimitExcess(.inputBytes, allowed: Self.most, measured: data.count)
            throw .unreadable(SourceFileError(path: path, problem: .overLimit(excess)))
        }
        do { self = try JSONDecoder().decode(Self.self, from: data) } catch {
            guard let error = error as? DecodingError, !error.isOfVersion else { throw .notAnnotations(path: path) }
            throw .malformed(path: path, fault: error.fault)
        }
        if let page = (Array(pages.keys) + removed.keys).filter({ $0 < 1 }).min() {
            throw .malformed(path: path, fault: "the page is \(page); the first page is 1")
        }
    }

    /// Replaces a document's annotation file, completely or not at all.
    ///
    /// - Parameter document: the path of the document.
    /// - Throws: `FileError`.
    public func write(beside document: String) throws { try write(to: Self.path(beside: document)) }

    /// Replaces an annotation file, completely or not at all.
    ///
    /// - Parameter path: the file's path.
    /// - Throws: `FileError`.
    public func write(to path: String) throws {
        let data = try data()
        // A larger file could not be read again.
        if data.count > Self.most { throw FileError("write", path: path, code: EFBIG) }
        try AtomicFile.write(data, to: path)
    }

    /// Returns the bytes of an annotation file, which is JSON. The same annotations give the same bytes.
    public func data() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return try encoder.encode(self)
    }

    /// The annotations of a page, in the order of creation.
    public subscript(page: Int) -> [PageAnnotation] { pages[page] ?? [] }

    /// The annotations of a page, for a request for its picture; nil if it has none.
    ///
    /// - Parameter page: from 1.
    /// - Returns: the annotations for `DocumentPage.annotations`.
    public func annotations(ofPage page: Int) -> PageAnnotations? {
        if pages[page] == nil, removed[page] == nil { return nil }
        return PageAnnotations(self[page], removed: removed[page] ?? [])
    }

    /// The annotations of all pages, for requests.
    public var pageAnnotations: [Int: PageAnnotations] {
        let numbers = Set(pages.keys).union(removed.keys)
        return Dictionary(
            uniqueKeysWithValues: numbers.compactMap { page in annotations(ofPage: page).map { (page, $0) } })
    }

    /// Adds an annotation above the others.
    public mutating func add(_ annotation: PageAnnotation, page: Int) { pages[page, default: []].append(annotation) }

    /// Removes an annotation.
    ///
    /// - Parameters:
    ///   - index: its index on the page. Has no effect if it does not exist.
    ///   - page: from 1.
    public mutating func remove(at index: Int, page: Int) {
        guard pages[page]?.indices.contains(index) == true else { return }
        pages[page]?.remove(at: index)
        if pages[page]?.isEmpty == true { pages[page] = nil }
    }
}
