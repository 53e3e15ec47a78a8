import COffstageWebKit
import CWebKitGTK
import OffstageGLib

/// The part of an emulation that WebKit takes from its settings (`PinnedSettings`) and tells all web processes of this process at once.
struct Appearance: Hashable {
    var colorScheme: Emulation.ColorScheme
    var motion: Emulation.Motion
    var contrast: Emulation.Contrast

    init(_ emulation: Emulation) {
        (colorScheme, motion, contrast) = (emulation.colorScheme, emulation.motion, emulation.contrast)
    }

    /// The same as media features and their values.
    var answers: [String: String] {
        [
            "prefers-color-scheme": colorScheme.rawValue, "prefers-reduced-motion": motion.rawValue,
            "prefers-contrast": contrast.rawValue,
        ]
    }

    /// Web processes hear of it before any load that is started afterwards: both go the same way.
    @MainActor
    func apply() {
        let settings = offstage_web_settings()!
        offstage_stage_enter(nil)
        defer { offstage_stage_leave() }
        setProperty("gtk-application-prefer-dark-theme", of: settings, to: colorScheme == .dark)
        setProperty("gtk-enable-animations", of: settings, to: motion == .noPreference)
        // The one theme's name that stands for more contrast; WebKit draws form controls itself whatever the theme.
        setProperty("gtk-theme-name", of: settings, to: contrast == .more ? "HighContrast" : "Adwaita")
    }
}

/// Lets drawings of one appearance on to the views at a time, in the order in which they come. There is one in a process,
/// as there is one set of GTK's settings.
@MainActor
final class AppearanceGate {
    static let shared = AppearanceGate()

    private var current: Appearance?
    /// How many drawings go by the current one.
    private var inside = 0
    private var waiting: [(appearance: Appearance, entrance: CheckedContinuation<Void, Never>)] = []

    /// Waits until the appearance is the current one, which it stays until `leave`.
    func enter(_ appearance: Appearance) async {
        // Who comes later does not pass who waits: else a stream of the one kind would keep the other out for ever.
        if waiting.isEmpty, admits(appearance) { return admit(appearance) }
        await withCheckedContinuation { waiting.append((appearance, $0)) }
    }

    func leave() {
        inside -= 1
        while let first = waiting.first, admits(first.appearance) {
            waiting.removeFirst()
            admit(first.appearance)
            first.entrance.resume()
        }
    }

    private func admits(_ appearance: Appearance) -> Bool { inside == 0 || current == appearance }

    private func admit(_ appearance: Appearance) {
        inside += 1
        if current == appearance { return }
        current = appearance
        appearance.apply()
    }
}
