import Foundation
import Offstage
import OffstageRequests

/// A file of options: one per line, as on the command line. A line that begins with # is a comment.
@MainActor
enum SettingsFile {
    /// The maximum size of the file, in bytes.
    private static let limit = 1 << 20

    /// - Throws: for a file that cannot be read or that others can change, and for a wrong line.
    static func read() throws(UsageError) -> [UserSetting] {
        guard let text = try text() else { return [] }
        var settings: [UserSetting] = []
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (index, line) in lines.enumerated() {
            let origin = "\(SettingsPlace.file):\(index + 1)"
            if let setting = try setting(ofLine: line, origin) { settings.append(setting) }
        }
        return settings
    }

    /// Nil if there is no file.
    private static func text() throws(UsageError) -> String? {
        let path = SettingsPlace.file
        var info = stat()
        if stat(path, &info) != 0 {
            // A home that a service cannot enter is not its own, so it has no settings there.
            if !SettingsPlace.isNamed, [ENOENT, ENOTDIR, EACCES].contains(errno) { return nil }
            throw UsageError(
                "\(path): \(String(cString: strerror(errno))); correct the path in \(SettingsPlace.variable), "
                    + "or unset the variable"
            )
        }
        if SettingsPlace.isNamed, info.st_mode & S_IFMT == S_IFCHR { return nil }  // /dev/null
        // Options can allow network access and turn the sandbox off.
        if info.st_mode & S_IWOTH != 0 {
            throw UsageError("\(path): every user can change these options; run chmod o-w on the file")
        }
        if !SettingsPlace.isNamed, info.st_uid != 0, info.st_uid != geteuid() {
            throw UsageError(
                "\(path): the file belongs to another user; run chown on it, or name it with \(SettingsPlace.variable)")
        }
        let data: Data
        do { data = try PlainFile.open(path).read(upToCount: limit + 1) ?? Data() } catch {
            throw UsageError("\(error); correct the file, or name another one with \(SettingsPlace.variable)")
        }
        guard data.count <= limit, let text = String(validating: data, as: UTF8.self) else {
            throw UsageError("\(path): not an options file: write UTF-8 text, one option per line, at most 1 MiB")
        }
        return text
    }

    private static func setting(ofLine line: Substring, _ origin: String) throws(UsageError) -> UserSetting? {
        let line = line.trimmingCharacters(in: .whitespaces.union(.init(charactersIn: "\u{FEFF}")))
        if line.isEmpty || line.hasPrefix("#") { return nil }
        guard line.hasPrefix("-"), line != "-", line != "--" else {
            throw UsageError("\(origin): '\(line.excerpt)' is not an option; write one per line, such as --width=600")
        }
        let isLong = line.hasPrefix("--")
        let name = isLong ? String(line.prefix { $0 != "=" && !$0.isWhitespace }) : String(line.prefix(2))
        var value = line.dropFirst(name.count).drop(while: \.isWhitespace)
        if value.first == "=" { value = value.dropFirst() }
        let setting = UserSetting(
            name: try option(name, origin), value: line.count == name.count ? nil : unquoted(value), origin: origin)
        try check(setting)
        return setting
    }

    /// The value, unquoted as by a shell.
    private static func unquoted(_ value: Substring) -> String {
        for quote in ["'", "\""] where value.count > 1 && value.hasPrefix(quote) && value.hasSuffix(quote) {
            return String(value.dropFirst().dropLast())
        }
        return String(value)
    }

    /// The name of an option that some command has.
    private static func option(_ word: String, _ origin: String) throws(UsageError) -> String {
        let all = CommandLineTool.commands.flatMap { $0.options.options }
        if let option = all.first(where: { "--\($0.name)" == word || $0.letter.map { "-\($0)" } == word }) {
            return option.name
        }
        if ["--help", "-h", "--version", "-V"].contains(word) {
            throw UsageError("\(origin): \(word) is for the command line only; delete the line")
        }
        var names: [String] = []
        for option in all where !names.contains("--\(option.name)") { names.append("--\(option.name)") }
        throw Suggestion.error(
            "\(origin): no command has the option \(word.excerpt)", for: word, among: names,
            otherwise: "delete the line; `offstage help COMMAND` lists options")
    }

    /// Checks, for at least one command, that an option that takes a value has one, and that a switch has none.
    private static func check(_ setting: UserSetting) throws(UsageError) {
        let holders = CommandLineTool.commands.filter { $0.options.option(setting.name) != nil }
        if holders.contains(where: { $0.options.words(of: setting) != nil }) { return }
        let words = [setting.value.map { "--\(setting.name)=\($0)" } ?? "--\(setting.name)"]
        do throws(UsageError) {
            for command in holders { _ = try command.options.parse(words, command: command.name) }
        } catch { throw UsageError("\(setting.origin): \(error)") }
    }
}
