/// The settings of rows: the command line's options with each row's own on top. Rows that say the same share them.
struct RowSettings {
    /// Every option of the command line that can be a row's key.
    static let table = SnippetOptions.table + OutputPlan.filesTable

    private static let kinds = Dictionary(uniqueKeysWithValues: table.map { ($0.name, $0.kind) })

    static func isKey(_ name: String) -> Bool { kinds[name] != nil }

    /// The files that its rows' options name, to watch them.
    private(set) var files: Set<String> = []

    private let options: ParsedOptions
    private let place: OutputPlan.Place
    private let folder: String?
    private var known: [Key: Settings] = [:]

    private struct Key: Hashable {
        var values: [String: JSONValue]
        var defaults: [String: String]
    }

    /// - Parameters:
    ///   - options: the command line's.
    ///   - folder: where a row's paths start; nil for the working folder.
    init(_ options: ParsedOptions, place: OutputPlan.Place, folder: String?) {
        self.options = options
        self.place = place
        self.folder = folder
    }

    /// - Parameters:
    ///   - values: the row's options.
    ///   - defaults: options that hold where neither the row nor the command line has them.
    ///   - row: where it is, for messages.
    mutating func settings(
        for values: [String: JSONValue], defaults: [String: String] = [:], at row: String
    ) throws(UsageError) -> Settings {
        let key = Key(values: values, defaults: defaults)
        if let settings = known[key] { return settings }
        let own = try read(values, at: row)
        let settings: Settings
        do {
            settings = try Settings(
                options.overlaid(with: own).with(defaults: defaults), place: place, commandLine: options)
        } catch {
            throw error.inRow(row, keys: values.keys)
        }
        known[key] = settings
        return settings
    }

    private mutating func read(_ values: [String: JSONValue], at row: String) throws(UsageError) -> [String: [String]?]
    {
        var own: [String: [String]?] = [:]
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            guard let kind = Self.kinds[name] else { throw Self.unknown(name, at: row) }
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

    static func unknown(_ name: String, at row: String) -> UsageError {
        UsageError(
            "\(row): there is no key \(name.quoted); `offstage --print-schema manifest` tells what there is")
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
