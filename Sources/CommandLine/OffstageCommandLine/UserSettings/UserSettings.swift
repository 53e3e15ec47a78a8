import OffstageRequests

/// The options that the user has set for every run: in a file, and in variables, which override the file. Options of the command line
/// override both.
@MainActor
struct UserSettings {
    /// The file's, then the variables'.
    let layers: [[UserSetting]]

    /// - Throws: for a wrong line or variable.
    static func read() throws(UsageError) -> UserSettings {
        if SettingsPlace.isOff { return UserSettings(layers: []) }
        return UserSettings(layers: [try SettingsFile.read(), try SettingsVariables.read()])
    }

    /// Adds the settings of a command's options to those of the command line.
    ///
    /// - Parameter takes: returns false for an option whose settings the command ignores.
    func add(
        to own: ParsedOptions, _ table: OptionTable, command: String, takes: (String) -> Bool = { _ in true }
    ) throws(UsageError) -> ParsedOptions {
        var merged = Merge()
        for layer in layers {
            var next = Merge()
            for setting in layer where takes(setting.name) {
                guard let words = table.words(of: setting) else { continue }
                if words.isEmpty { next.turnOff(setting.name) }
                do throws(UsageError) {
                    guard case .run(let parsed) = try table.parse(words, command: command) else { continue }
                    let isList = table.option(setting.name)?.isRepeatable ?? false
                    for (name, values) in parsed.values { next.set(name, values, isList: isList, from: setting.origin) }
                } catch { throw UsageError("\(setting.origin): \(error)") }
            }
            merged.override(with: next)
        }
        var line = Merge()
        for (name, values) in own.values { line.set(name, values, isList: false, from: nil) }
        merged.override(with: line)
        merged.removeDependents(table)
        return ParsedOptions(values: merged.values, operands: own.operands, origins: merged.origins)
    }

    /// Names the location of the setting that an error is about.
    static func attributed(_ error: UsageError, to options: ParsedOptions) -> UsageError {
        let text = error.description
        for match in text.matches(of: /--([a-z]+(?:-[a-z]+)*)|-o\b/) {
            let name = match.output.1.map(String.init) ?? "output"
            guard let origin = options.origins[name] else { continue }
            return text.hasPrefix(origin) ? error : UsageError("\(origin): \(text)")
        }
        return error
    }
}

/// The values from one location, or from several, of which later ones take precedence.
private struct Merge {
    private(set) var values: [String: [String]] = [:]
    private(set) var origins: [String: String] = [:]
    private var off: Set<String> = []

    /// Options that contradict each other: the one from the location with the higher precedence removes the other.
    private static let rivals: [(String, String)] = [
        ("cache", "no-cache"), ("refresh", "no-cache"), ("via", "no-cache"), ("shared", "no-cache"),
        ("sandbox", "no-sandbox"), ("access-log", "no-access-log"), ("out", "output"), ("page", "pages"),
        ("samples-per-pixel", "pixels-per-second"), ("played", "pair"), ("manifest", "template"),
        ("watch", "run-timeout"), ("watch", "depfile"), ("watch", "via"),
    ]

    /// Options that are invalid without another option. A setting applies to every run, including those without the
    /// other option. A command that does not have the other option accepts the first one alone.
    private static let needs: [(String, String)] = [
        ("name", "out"), ("data", "template"), ("depfile-target", "depfile"), ("each", "selector"),
        ("outset", "selector"),
        ("allow-private-addresses", "allow-host"), ("json", "bench"), ("script", "bench"), ("seconds", "bench"),
        ("ways", "bench"), ("warm", "bench"),
    ]

    mutating func set(_ name: String, _ new: [String], isList: Bool, from origin: String?) {
        values[name] = (isList ? values[name] ?? [] : []) + new
        origins[name] = origin
        off.remove(name)
    }

    mutating func turnOff(_ name: String) {
        (values[name], origins[name]) = (nil, nil)
        off.insert(name)
    }

    mutating func override(with next: Merge) {
        for name in next.off { (values[name], origins[name]) = (nil, nil) }
        for (name, new) in next.values {
            for (one, other) in Self.rivals where one == name || other == name {
                let rival = one == name ? other : one
                (values[rival], origins[rival]) = (nil, nil)
            }
            (values[name], origins[name]) = (new, next.origins[name])
        }
        for (name, new) in next.values { (values[name], origins[name]) = (new, next.origins[name]) }
    }

    mutating func removeDependents(_ table: OptionTable) {
        for (name, need) in Self.needs
        where origins[name] != nil && table.option(need) != nil && values[need] == nil {
            (values[name], origins[name]) = (nil, nil)
        }
    }
}
