import Foundation
import Offstage

/// One drawing of one snippet on a stage: what is known of it from its start to its end.
@MainActor
final class Scene {
    let snippet: Snippet
    /// The document's address. Unlike that of any other drawing, so that nothing that is late, cached or another row's can
    /// be taken for this one's.
    let url: String
    /// The host part of `url`.
    let token: String
    /// The one navigation of the scene, ours, has been let through.
    var hasNavigated = false
    /// The document's first byte has arrived in the web process.
    var isCommitted = false
    /// Waits for the end of loading.
    var loading: Reply<Void>?
    /// Trouble with files of the base folder, by URL.
    private(set) var resourceWarnings: [DrawingWarning] = []

    private static var count = 0

    init(_ snippet: Snippet) {
        self.snippet = snippet
        Self.count += 1
        token = String(Self.count)
        url = "\(ContentPolicy.scheme)://\(token)/"
    }

    func warn(_ code: DrawingWarning.Code, _ path: String, reason: String? = nil) {
        let warning = DrawingWarning(code, path, reason: reason)
        if !resourceWarnings.contains(warning) { resourceWarnings.append(warning) }
    }

    /// What the caller is told, from what the base folder, the policy and the document say.
    func warnings(_ readiness: Readiness) -> [DrawingWarning] {
        var all = resourceWarnings
        let told = Set(all.map(\.subject))
        func add(_ code: DrawingWarning.Code, _ names: [String]) {
            for name in names.map(shown) where !told.contains(name) { all.append(DrawingWarning(code, name)) }
        }
        add(.deadline, readiness.late)
        add(.resourceBlocked, readiness.blocked)
        add(.imageBroken, readiness.broken)
        add(.fontBroken, readiness.brokenFonts)
        return all
    }

    /// A URL as the snippet's author knows it: relative to the base, and no content in it.
    func shown(_ url: String) -> String {
        if url.hasPrefix(self.url) { return relative(url) }
        if url.hasPrefix("data:") { return String(url.prefix { $0 != "," && $0 != ";" }) + "…" }
        return url.count > 200 ? url.prefix(200) + "…" : url
    }

    private func relative(_ url: String) -> String {
        String(url.dropFirst(self.url.count)).removingPercentEncoding ?? url
    }

    func error(for error: any Error) -> DrawingError {
        switch error {
        case let error as DrawingError: error
        case Interruption.crashed: .engineCrashed
        case Interruption.hung, Interruption.deadline: .engineHung(seconds: TimeLimit.grace)
        case Interruption.failed(let text): .engineFailed(text)
        default: .engineFailed("\(error)")
        }
    }
}
