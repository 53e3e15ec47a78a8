import Foundation
import Offstage

/// Removes this machine's folders from messages: clients, which may be on other machines, need not know them.
package struct MachinePaths: Sendable {
    /// The folder of `--files`. Files in it appear relative to it, as in requests.
    private let folder: String?
    /// Longest first.
    private let others: [String]

    /// - Parameters:
    ///   - folder: requests may name files below it.
    ///   - cache: the cache's folder.
    init(folder: String?, cache: String?) {
        self.folder = folder
        others = [cache, SpoolFile.folder, NSHomeDirectory(), FileManager.default.currentDirectoryPath]
            .compactMap { $0 }.filter { $0.count > 1 }.sorted { $0.count > $1.count }
    }

    /// The message with files below `--files` relative to it, and only the last part of other absolute paths.
    func hidden(in text: String) -> String {
        if !text.contains("/") { return text }
        var text = text
        if let folder, folder != "/" {
            text = text.replacing(folder + "/", with: "").replacing(folder, with: "the folder of --files")
        }
        // These paths may have spaces, which the pattern below does not allow.
        for other in others { text = text.replacing(other + "/", with: "/") }
        return text.replacing(/(^|[\s"'(=])\/(?:[^\s"'():;,\/]+\/)*([^\s"'():;,\/]+)/) { match in
            match.output.0.contains("/v1/") ? String(match.output.0) : "\(match.output.1)\(match.output.2)"
        }
    }
}

extension Problem {
    func without(_ paths: MachinePaths) -> Problem {
        var problem = Problem(status, code, paths.hidden(in: detail), headers: headers)
        problem.warnings = warnings
        return problem
    }
}

extension ServiceResult {
    func without(_ paths: MachinePaths) -> ServiceResult {
        guard case .failed(let code, var report) = outcome, let error = report.error else { return self }
        report.error = paths.hidden(in: error)
        var result = self
        result.outcome = .failed(code, report)
        return result
    }
}
