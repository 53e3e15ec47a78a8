import Foundation
import OffstageRequests
import OffstageWorkers

/// Options in variables: `OFFSTAGE_MAX_WIDTH=600` for `--max-width=600`, and 1 or 0 for a switch.
@MainActor
enum SettingsVariables {
    nonisolated static let prefix = "OFFSTAGE_"

    /// In alphabetical order. Other variables with the prefix may not be ours: Kubernetes sets `OFFSTAGE_PORT` for a
    /// service of this name.
    ///
    /// - Throws: for a switch that is neither on nor off.
    static func read(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(UsageError) -> [UserSetting] {
        var settings: [UserSetting] = []
        for (variable, value) in environment.sorted(by: { $0.key < $1.key }) {
            guard let name = option(of: variable) else { continue }
            let setting = UserSetting(name: name, value: value, origin: variable, isVariable: true)
            let holders = CommandLineTool.commands.filter { $0.options.option(name) != nil }
            if holders.isEmpty { continue }
            if !holders.contains(where: { $0.options.words(of: setting) != nil }) {
                throw UsageError(
                    "\(variable) takes 1 to set --\(name), or 0, not '\(value.excerpt)'; correct it, or unset it"
                )
            }
            settings.append(setting)
        }
        return settings
    }

    /// The names of variables that resemble an option's name, and are probably misspelt.
    static func misspelt(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> [(variable: String, advice: String)] {
        let names = Set(CommandLineTool.commands.flatMap { $0.options.options.map(\.name) })
        return environment.keys.sorted().compactMap { variable in
            guard let name = option(of: variable), !names.contains(name) else { return nil }
            let near = Suggestion.nearest(to: name, among: names.sorted()).map(Self.variable)
            return near.isEmpty ? nil : (variable, "did you mean \(near.formatted("or"))?")
        }
    }

    static func variable(_ option: String) -> String {
        prefix + option.uppercased().replacing("-", with: "_")
    }

    private static func option(of variable: String) -> String? {
        guard variable.hasPrefix(prefix), variable == variable.uppercased() else { return nil }
        let name = variable.dropFirst(prefix.count).lowercased().replacing("_", with: "-")
        // Variables that do not set an option.
        let others = [SettingsPlace.variable, BrowseRun.sinkVariable, WorkerFolders.variable]
        return others.contains(variable) ? nil : name
    }
}
