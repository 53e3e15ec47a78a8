import Foundation
import Offstage
import OffstageHTML
import Synchronization

/// The sources that all interfaces offer. Options, help, schemas, completions, the manual page and the description of
/// the API list the registered sources.
package enum SourceRegistry {
    private static let sources = Mutex([RegisteredSource.html, .images, .pages, .sounds, .ink])

    /// Registers a further source. Call it once, before anything reads an option: the tables are made on first use.
    package static func register(_ source: RegisteredSource) { sources.withLock { $0.append(source) } }

    package static var all: [RegisteredSource] { sources.withLock { $0 } }

    /// The source of documents that nothing else identifies, such as standard input.
    package static var first: RegisteredSource { sources.withLock { $0[0] } }

    /// The source of a document without a name, by its first bytes; the first registered one if no source recognizes them.
    package static func source(of head: Data) -> RegisteredSource { all.first { $0.recognizes(head) } ?? first }

    /// The source whose files have this extension; nil if no source has it.
    package static func source(ofFile path: String) -> RegisteredSource? {
        let fileExtension = (path as NSString).pathExtension.lowercased()
        return sources.withLock { sources in
            sources.first { $0.fileExtensions.contains(fileExtension) }
                ?? sources.first { $0.namedExtensions.contains(fileExtension) }
        }
    }

    /// True for a file that is included when a folder is the input.
    package static func takesFromFolder(_ path: String) -> Bool {
        let fileExtension = (path as NSString).pathExtension.lowercased()
        return sources.withLock { $0.contains { $0.fileExtensions.contains(fileExtension) } }
    }

    /// True for a file that may be a part of a document, such as a picture in a web page.
    package static func mayBePart(_ path: String) -> Bool {
        let fileExtension = (path as NSString).pathExtension.lowercased()
        return sources.withLock { $0.contains { $0.partExtensions.contains(fileExtension) } }
    }

    /// The extensions of all sources' files, without dots.
    package static var fileExtensions: [String] { all.flatMap(\.fileExtensions) }

    /// The types of request bodies that are documents.
    package static var mediaTypes: [String] { all.flatMap(\.mediaTypes).map(\.name) }

    package static func source(
        ofMediaType name: String
    ) -> (source: RegisteredSource, media: RegisteredSource.MediaType)? {
        for source in all {
            if let type = source.mediaTypes.first(where: { $0.name == name }) { return (source, type) }
        }
        return nil
    }

    /// True for a name or a label in the WHATWG Encoding standard.
    package static func isCharset(_ name: String) -> Bool { Snippet.isCharset(name) }

    /// The options of all sources. Sources with an option of the same name share its declaration: the first one,
    /// extended by the values and the help of those with other values.
    package static let options = union(\.options)
    /// The options of `LimitOptions`, which only the command line has.
    package static let limits = union(\.limits)
    /// The options of `DocumentParts`, which only `render` has.
    package static let parts = union { $0.parts?.options ?? [] }

    /// The options that affect the documents of some sources, but not of all. Excludes limits.
    static let effectiveNames = Set(
        (options + Settings.common + parts).map(\.name) + all.flatMap(\.runOptions)
    ).subtracting(limits.map(\.name))

    /// The keys of a row that contain a document or name its file.
    package static var contentKeys: [String] { textKeys + ["file"] }

    /// The keys whose texts are documents.
    package static var textKeys: [String] { all.compactMap(\.textKey) }

    /// The codes of all warnings, each once.
    package static var warnings: [DrawingWarning.Code] {
        all.flatMap(\.warnings).reduce(into: DrawingWarning.Code.common + [.optionUnused]) {
            if !$0.contains($1) { $0.append($1) }
        }
    }

    private static func union(
        _ options: (RegisteredSource) -> [OptionTable.Option]
    ) -> [OptionTable.Option] {
        var all: [OptionTable.Option] = []
        var places: [String: Int] = [:]
        for option in self.all.flatMap(options) {
            if let place = places[option.name] {
                all[place].add(option)
            } else {
                places[option.name] = all.count
                all.append(option)
            }
        }
        return all
    }
}

extension OptionTable.Option {
    /// Adds the values of another source's option of this name.
    fileprivate mutating func add(_ other: Self) {
        guard let value, let more = other.value, value != more else { return }
        let values = value.split(separator: "|")
        let new = more.split(separator: "|").filter { !values.contains($0) }
        self.value = (values + new).joined(separator: "|")
        if !help.contains(other.help) { help += "; " + other.help }
    }
}

extension RegisteredSource {
    /// The source of a file, by its extension or, if that is unknown, by its first bytes; otherwise the first
    /// registered one.
    package static func ofFile(_ path: String) -> RegisteredSource {
        if let source = SourceRegistry.source(ofFile: path) { return source }
        // A file that cannot be read fails later, with its reason.
        let head = try? PlainFile.open(path).read(upToCount: 4096)
        return head.map { SourceRegistry.source(of: $0) } ?? SourceRegistry.first
    }
}
