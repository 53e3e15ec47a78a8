import CWebKitGTK
import Foundation
import OffstageRequests

extension OptionTable {
    enum Outcome {
        case run(ParsedOptions)
        /// `--version` was asked for.
        case version
    }

    /// Parses with GOption, which answers `--help` itself and ends the program.
    func parse(_ arguments: [String], command: String) throws(UsageError) -> Outcome {
        let parser = GOptionParser(self, program: "offstage \(command)")
        let parsed = try parser.parse(arguments)
        return parsed.has("version") ? .version : .run(parsed)
    }
}

/// GOption's view of a table; it owns the C memory that GOption reads and fills.
private final class GOptionParser {
    private let table: OptionTable
    private let program: String
    private var strings: [UnsafeMutablePointer<CChar>] = []
    /// A place for every option, in the table's order: a `gchar *`, a `gchar **` for a repeatable one, or a `gboolean`.
    private let values: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

    init(_ table: OptionTable, program: String) {
        self.table = table
        self.program = program
        values = .allocate(capacity: table.all.count)
        values.initialize(repeating: nil, count: table.all.count)
    }

    deinit {
        for string in strings { free(string) }
        values.deallocate()
    }

    func parse(_ arguments: [String]) throws(UsageError) -> ParsedOptions {
        g_set_prgname(program)
        let context = g_option_context_new(table.operands.isEmpty ? nil : table.operands)
        defer { g_option_context_free(context) }
        g_option_context_set_summary(context, table.summary)
        var entries = table.all.enumerated().map { entry($1, at: values + $0) } + [GOptionEntry()]
        g_option_context_add_main_entries(context, &entries, nil)

        // GOption takes the words it knows out of the list, which it may reorder: a GLib-allocated copy.
        var words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = stringList([program] + arguments)
        defer { g_strfreev(words) }
        var error: UnsafeMutablePointer<GError>?
        guard g_option_context_parse_strv(context, &words, &error) != 0 else {
            defer { g_error_free(error) }
            let text = String(cString: error!.pointee.message)
            throw UsageError("\(text.prefix(1).lowercased() + text.dropFirst()); see `\(program) --help`")
        }
        return ParsedOptions(values: collect(), operands: rest(words))
    }

    private func entry(
        _ option: OptionTable.Option, at place: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    ) -> GOptionEntry {
        GOptionEntry(
            long_name: keep(option.name), short_name: option.letter.map { gchar($0.asciiValue!) } ?? 0, flags: 0,
            arg: option.value == nil ? .noArgument : option.isRepeatable ? .fileNames : .fileName, arg_data: place,
            description: keep(option.help), arg_description: option.value.map { UnsafePointer(keep($0)) })
    }

    private func keep(_ text: String) -> UnsafeMutablePointer<CChar> {
        let copy = strdup(text)!
        strings.append(copy)
        return copy
    }

    private func collect() -> [String: [String]] {
        var found: [String: [String]] = [:]
        for (index, option) in table.all.enumerated() {
            // A switch's place holds a gboolean: not null when it is set.
            guard let value = values[index] else { continue }
            found[option.name] = option.value == nil ? [] : take(value, isList: option.isRepeatable)
        }
        return found
    }

    /// Takes over what GOption put into a place.
    private func take(_ value: UnsafeMutablePointer<CChar>, isList: Bool) -> [String] {
        guard isList else {
            defer { g_free(value) }
            return [String(cString: value)]
        }
        let list = UnsafeMutableRawPointer(value).assumingMemoryBound(to: UnsafeMutablePointer<CChar>?.self)
        defer { g_strfreev(list) }
        return (0..<Int(g_strv_length(list))).map { String(cString: list[$0]!) }
    }

    private func rest(_ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> [String] {
        var operands: [String] = []
        var index = 1
        while let word = words?[index] {
            operands.append(String(cString: word))
            index += 1
        }
        // A first "--" ends the options and is no operand.
        if let dashes = operands.firstIndex(of: "--") { operands.remove(at: dashes) }
        return operands
    }
}

/// A NULL-ended list of strings in GLib's memory.
private func stringList(_ strings: [String]) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
    let list = g_malloc0_n(gsize(strings.count + 1), gsize(MemoryLayout<UnsafeMutablePointer<CChar>?>.stride))!
        .assumingMemoryBound(to: UnsafeMutablePointer<CChar>?.self)
    for (index, string) in strings.enumerated() { list[index] = g_strdup(string) }
    return list
}

/// Swift sees the type of these C constants and not their names.
extension GOptionArg {
    /// G_OPTION_ARG_NONE
    fileprivate static var noArgument: GOptionArg { GOptionArg(rawValue: 0) }
    /// G_OPTION_ARG_FILENAME: bytes as they are, not converted from the locale's charset.
    fileprivate static var fileName: GOptionArg { GOptionArg(rawValue: 4) }
    /// G_OPTION_ARG_FILENAME_ARRAY
    fileprivate static var fileNames: GOptionArg { GOptionArg(rawValue: 6) }
}
