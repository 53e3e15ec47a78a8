import CWebKitGTK
import Offstage
import OffstageHTML
import OffstageWebKit

/// Finds out the state of what drawings need, for `doctor`.
@MainActor
enum Diagnosis {
    static func now() async -> HTMLDiagnosis {
        let start = ContinuousClock.now
        var (display, problem): (String?, EngineUnavailable?)
        do throws(EngineUnavailable) { display = try await PrivateDisplay.start() } catch { problem = error }
        return HTMLDiagnosis(
            display: display, displaySeconds: start.duration(to: .now) / .seconds(1), problem: problem,
            sandboxAbsence: await Sandbox.absence,
            webKit: version(webkit_get_major_version(), webkit_get_minor_version(), webkit_get_micro_version()),
            gtk: version(gtk_get_major_version(), gtk_get_minor_version(), gtk_get_micro_version()),
            hasOwnNetwork: NetworkNamespace.holdsAll, networkProblem: NetworkNamespace.problem)
    }

    private static func version(_ parts: guint...) -> String { parts.map(String.init).joined(separator: ".") }
}
