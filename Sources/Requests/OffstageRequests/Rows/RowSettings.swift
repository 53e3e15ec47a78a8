/// The settings of rows: the command line's options, overridden by each row's own. Rows with the same options share
/// them.
package struct RowSettings: Sendable {
    /// The options of the command line that can be keys of a row.
    package static let table = SourceRegistry.options + Settings.common

    private static let kinds = Dictionary(uniqueKeysWithValues: table.map { ($0.name, $0.kind) })

    /// All keys that are options, in alphabetical order.
    package static let keys = kinds.keys.sorted()

    package static func isKey(_ name: String) -> Bool { kinds[name] != nil }

    /// The options whose values name files.
    package static let pathKeys = Set(table.filter(\.kind.isPath).map(\.name))

    /// The type of a key's value; nil for an unknown key.
    package static func kind(of name: String) -> ValueKind? { kinds[name] }

    /// The files that the rows' options name, for watching them.
    package private(set) var files: Set<String> = []

    private let options: ParsedOptions
    private let file: String?
    private let folder: String?
    private let note: @Sendable (ParsedOptions) -> String
    private let schema: String
    private var known: [Key: Settings] = [:]
    /// The command line's options for each source.
    private var shared: [ObjectIdentifier: ParsedOptions] = [:]

    private struct Key: Hashable {
        var source: ObjectIdentifier
        var values: [String: JSONValue]
        var defaults: [String: String]
    }

    /// - Parameters:
    ///   - options: the command line's options.
    ///   - file: the picture's file, whose extension gives the format if no option does; nil if there is no file, or
    ///     several.
    ///   - folder: the folder for a row's paths; nil for the working folder.
    ///   - schema: the name of the keys' schema in `--print-schema`, for messages.
    ///   - note: the note to store with pictures that are drawn with these options.
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
    ///   - source: the source of the row's document, which determines the options that the row can have.
    ///   - defaults: options for which neither the row nor the command line has a value.
    ///   - row: the row's location, for messages.
    package mutating func settings(
        for values: [String: JSONValue], of source: RegisteredSource, defaults: [String: String] = [:], at row: String
    ) throws(UsageError) -> Settings {
        let key = Key(source: ObjectIdentifier(source), values: values, defaults: defaults)
        if let settings = known[key] { return settings }
        let own = try read(values, at: row)
        if let name = own.keys.filter({ !source.takes($0) }).min() {
            throw UsageError("\(row): \(name.quoted) is not an option of the source \(source.name); leave it out")
        }
        let settings: Settings
        do {
            let options = try capped(options(for: source).overlaid(with: own).with(defaults: defaults), source)
            let given = own.compactMap { $1 == nil ? nil : $0 }
            settings = try Settings(
                options, of: source, file: file, note: note(options), run: self.options,
                withoutEffect: OptionUse(options, among: [source]).unused(among: given))
        } catch {
            throw error.inRow(row, keys: values.keys)
        }
        known[key] = settings
        return settings
    }

    private mutating func options(for source: RegisteredSource) -> ParsedOptions {
        if let known = shared[ObjectIdentifier(source)] { return known }
        let own = OptionUse(options).options(for: source)
        shared[ObjectIdentifier(source)] = own
        return own
    }

    /// A row can be untrusted: it can shorten the time limit of a drawing, but not lengthen it. This also applies to
    /// `null`, which would restore the default.
    private func capped(_ own: ParsedOptions, _ source: RegisteredSource) throws(UsageError) -> ParsedOptions {
        let most = try source.timeout(options)
        if try source.timeout(own) <= most { return own }
        return own.overlaid(with: ["timeout": ["\(most)"]])
    }

    private mutating func read(_ values: [String: JSONValue], at row: String) throws(UsageError) -> [String: [String]?]
    {
        // Report the alphabetically first one, so that the message is always the same.
        if let name = values.keys.filter({ !Self.isKey($0) }).min() {
            throw Self.unknown(name, at: row, schema: schema)
        }
        var own: [String: [String]?] = [:]
        // There are at most as many as there are options.
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            guard let kind = Self.kinds[name] else { continue }
            do {
                let texts = try kind.texts(of: value, pathsFrom: folder)
                files.formUnion(kind.paths(among: texts ?? []))
                own[name] = .some(texts)
            } catch {
                throw UsageError("\(row): \(name.quoted) takes \(kind.description), not \(error.value.shown)")
            }
        }
        return own
    }

    package static func unknown(_ name: String, at row: String, schema: String = "manifest") -> UsageError {
        Suggestion.error(
            "\(row): there is no key \(name.quoted)", for: name, among: keys,
            otherwise: "`offstage --print-schema \(schema)` lists them")
    }
}

extension UsageError {
    /// Turns the error into one of a row: adds the row's location, and names options by the row's keys. An error that
    /// is not about these keys belongs to the command line.
    fileprivate func inRow(_ row: String, keys: some Sequence<String>) -> UsageError {
        let keys = Set(keys)
        let text = description.replacing(/--([a-z]+(?:-[a-z]+)*)/) {
            keys.contains(String($0.output.1)) ? "\"\($0.output.1)\"" : String($0.output.0)
        }
        return text == description ? self : UsageError("\(row): \(text)")
    }
}
