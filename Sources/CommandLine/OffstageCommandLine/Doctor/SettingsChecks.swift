import OffstageRequests

/// Lists the user's settings, with their origins.
@MainActor
enum SettingsChecks {
    static func all() throws(UsageError) -> [Check] {
        if SettingsPlace.isOff { return [.ok("settings", "none: \(SettingsPlace.variable) is empty")] }
        let settings = try UserSettings.read()
        let all = settings.layers.flatMap { $0 }
        let place = "\(SettingsPlace.file) and variables such as \(SettingsVariables.variable("width"))"
        var checks = [Check.ok("settings", all.isEmpty ? "none in \(place)" : "\(all.count), from \(place)")]
        for (index, setting) in all.enumerated() {
            // In the file, a list may have several lines; none overrides another.
            let later = all[(index + 1)...].last {
                $0.name == setting.name && ($0.isVariable != setting.isVariable || !isList(setting.name))
            }
            let end = later.map { ", overridden by \($0.origin)" } ?? ""
            checks.append(.ok("setting", "\(setting.shown), from \(setting.origin)\(end)"))
        }
        return checks
            + SettingsVariables.misspelt().map { variable, advice in
                .remark("setting", "\(variable) sets no option", remedy: "\(advice)")
            }
    }

    private static func isList(_ name: String) -> Bool {
        CommandLineTool.commands.contains { $0.options.option(name)?.isRepeatable ?? false }
    }
}
