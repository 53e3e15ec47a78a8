import Foundation
import OffstageRequests

/// An option in the user's settings.
struct UserSetting {
    /// The option's name, without dashes.
    var name: String
    /// Nil for an option without a value.
    var value: String?
    /// The line of the file, or the variable: `/home/ada/.config/offstage/offstage.conf:3`, `OFFSTAGE_WIDTH`.
    var origin: String
    /// True if the value is from a variable, in which a switch is 1 or 0.
    var isVariable = false

    /// The words of a command line for an option of this name; empty to turn it off. Nil if the value does not suit the
    /// option, such as a text for a switch.
    @MainActor func words(for option: OptionTable.Option) -> [String]? {
        guard isVariable, let value else {
            let isWhole = value == nil ? option.value == nil || !option.valueEndings.isEmpty : option.value != nil
            return isWhole ? [value.map { "--\(name)=\(expanded($0, option))" } ?? "--\(name)"] : nil
        }
        if option.value == nil { return Self.isOn(value).map { $0 ? ["--\(name)"] : [] } }
        let values = option.isRepeatable ? value.split(separator: "\n").map(String.init) : [value]
        return values.filter { !$0.isEmpty }.map { "--\(name)=\(expanded($0, option))" }
    }

    /// Nil for other words.
    private static func isOn(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "1", "true", "yes", "on": true
        case "", "0", "false", "no", "off": false
        default: nil
        }
    }

    /// On a command line, a shell replaces the ~.
    @MainActor private func expanded(_ text: String, _ option: OptionTable.Option) -> String {
        option.kind.isPath && text.hasPrefix("~/") ? SettingsPlace.home + text.dropFirst() : text
    }

    /// True if no command's option of this name takes a value.
    @MainActor private var isOfSwitch: Bool {
        CommandLineTool.commands.allSatisfy { $0.options.option(name)?.value == nil }
    }

    /// The option as on a command line. A password in a database's address is left out.
    @MainActor var shown: String {
        guard let value, !(isVariable && isOfSwitch) else {
            return "--\(name)" + (value.map(Self.isOn) == .some(false) ? " off" : "")
        }
        let plain = value.replacing(/:\/\/([^\/@:]*):[^\/@]*@/) { "://\($0.output.1):…@" }
            .replacing(/password=[^\s&]*/, with: "password=…")
        return "--\(name)=\(plain)"
    }
}

extension OptionTable {
    /// The values of a setting: nil if the command does not have the option, or only with another kind of value; empty
    /// to turn it off.
    @MainActor func words(of setting: UserSetting) -> [String]? { option(setting.name).flatMap(setting.words) }
}
