/// The settings of rows: the command line's options with each row's own on top. Rows that say the same share them.
package struct RowSettings: Sendable {
    /// Every option of the command line that can be a row's key.
    package static let table = SnippetOptions.table + Settings.filesTable

    private static let kinds = Dictionary(uniqueKeysWithValues: table.map { ($0.name, $0.kind) })

    package static func isKey(_ name: String) -> Bool { kinds[name] != nil }

    /// What a key takes; nil for one that there is not.
    package static func kind(of name: String) -> ValueKind? { kinds[name] }

    /// The files that its rows' options name, to watch them.
    package private(set) var files: Set<String> = []

    private let options: ParsedOptions
    private let file: String?
    private let folder: String?
    private let note: @Sendable (ParsedOptions) -> String
    private let schema: String
    private var known: [Key: Settings] = [:]

    private struct Key: Hashable {
        var values: [String: JSONValue]
        var defaults: [String: String]
    }

    /// - Parameters:
    ///   - options: the command line's.
    ///   - file: the picture's, whose extension says the format where no option does; nil where there is none, or several.
    ///   - folder: where a row's paths start; nil for the working folder.
    ///   - schema: whose keys they are, for messages: what `--print-schema` calls it.
    ///   - note: what is noted of pictures that are drawn with these options.
    package init(
        _ options: ParsedOptions = ParsedOptions(), file: String? = nil, folder: String?, schema: String = "manifest",
        note: @escaping @Sendable (ParsedOptions) -> String = { _ in "" }
    ) {
        self.options = options
        self.file = file
        self.folder = folder
        self.schema = schema
        self.note = note
    }

    /// - Parameters:
    ///   - values: the row's options.
    ///   - defaults: options that hold where neither the row nor the command line has them.
    ///   - row: where it is, for messages.
    package mutating func settings(
        for values: [String: JSONValue], defaults: [String: String] = [:], at row: String
    ) throws(UsageError) -> Settings {
        let key = Key(values: values, defaults: defaults)
        if let settings = known[key] { return settings }
        let own = try read(values, at: row)
        let settings: Settings
        do {
            let options = try capped(options.overlaid(with: own).with(defaults: defaults))
            settings = try Settings(options, file: file, note: note(options))
        } catch {
            throw error.inRow(row, keys: values.keys)
        }
        known[key] = settings
        return settings
    }

    /// A row may come from elsewhere: it can shorten the time that a drawing gets, and not lengthen it. `null`, which would
    /// bring the default back, is no way around.
    private func capped(_ own: ParsedOptions) throws(UsageError) -> ParsedOptions {
        let most = try SnippetOptions.timeout(options)
        if try SnippetOptions.timeout(own) <= most { return own }
        return own.overlaid(with: ["timeout": ["\(most)"]])
    }

    private mutating func read(_ values: [String: JSONValue], at row: String) throws(UsageError) -> [String: [String]?]
    {
        var own: [String: [String]?] = [:]
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            guard let kind = Self.kinds[name] else { throw Self.unknown(name, at: row, schema: schema) }
            do {
                let texts = try kind.texts(of: value, pathsFrom: folder)
                if kind.isPath { files.formUnion(texts ?? []) }
                own[name] = .some(texts)
            } catch {
                throw UsageError("\(row): \(name.quoted) takes \(kind.description), not \(error.value.shown)")
            }
        }
        return own
    }

    package static func unknown(_ name: String, at row: String, schema: String = "manifest") -> UsageError {
        Suggestion.error(
            "\(row): there is no key \(name.quoted)", for: name, among: kinds.keys.sorted(),
            otherwise: "`offstage --print-schema \(schema)` lists them")
    }
}

extension UsageError {
    /// As an error of a row: says where it is, and calls the row's own options as the row does. One that has to do with none
    /// of them is the command line's.
    fileprivate func inRow(_ row: String, keys: some Sequence<String>) -> UsageError {
        let keys = Set(keys)
        let text = description.replacing(/--([a-z]+(?:-[a-z]+)*)/) {
            keys.contains(String($0.output.1)) ? "\"\($0.output.1)\"" : String($0.output.0)
        }
        return text == description ? self : UsageError("\(row): \(text)")
    }
}
