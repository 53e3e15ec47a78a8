import COffstageWebKit
import CWebKitGTK
import OffstageGLib

/// The part of an emulation that WebKit reads from its settings (`PinnedSettings`). WebKit sends it to all web processes of
/// this process at once.
struct Appearance: Hashable {
    var colorScheme: Emulation.ColorScheme
    var motion: Emulation.Motion
    var contrast: Emulation.Contrast

    init(_ emulation: Emulation) {
        (colorScheme, motion, contrast) = (emulation.colorScheme, emulation.motion, emulation.contrast)
    }

    /// The same values, by media feature.
    var answers: [String: String] {
        [
            "prefers-color-scheme": colorScheme.rawValue, "prefers-reduced-motion": motion.rawValue,
            "prefers-contrast": contrast.rawValue,
        ]
    }

    /// Applies to every load that starts after this call: web processes receive the settings and the load in that order.
    @MainActor
    func apply() {
        let settings = offstage_web_settings()!
        offstage_stage_enter(nil)
        defer { offstage_stage_leave() }
        setProperty("gtk-application-prefer-dark-theme", of: settings, to: colorScheme == .dark)
        setProperty("gtk-enable-animations", of: settings, to: motion == .noPreference)
        // WebKit reports more contrast for this theme name only. It draws form controls itself, whatever the theme.
        setProperty("gtk-theme-name", of: settings, to: contrast == .more ? "HighContrast" : "Adwaita")
    }
}

/// Lets only drawings of one appearance use the views at a time, in the order in which they arrive. A process has one
/// gate because it has one set of GTK settings.
@MainActor
final class AppearanceGate {
    static let shared = AppearanceGate()

    private var current: Appearance?
    /// Number of admitted drawings, all with the current appearance.
    private var inside = 0
    private var waiting: [(appearance: Appearance, entrance: CheckedContinuation<Void, Never>)] = []

    /// Waits until the appearance is the current one. It stays current until `leave`.
    func enter(_ appearance: Appearance) async {
        // Later arrivals never overtake waiting ones. Otherwise, a steady stream of drawings with one appearance would
        // block another appearance forever.
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
