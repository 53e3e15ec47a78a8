import Foundation
import Offstage

/// Takes out of messages where things are on this machine: clients need not know, and may be elsewhere.
package struct MachinePaths: Sendable {
    /// Of `--files`: what is in it has its name from there, as requests name it.
    private let folder: String?
    /// Longest first.
    private let others: [String]

    /// - Parameters:
    ///   - folder: below which requests may name files.
    ///   - cache: the cache's folder.
    init(folder: String?, cache: String?) {
        self.folder = folder
        others = [cache, SpoolFile.folder, NSHomeDirectory(), FileManager.default.currentDirectoryPath]
            .compactMap { $0 }.filter { $0.count > 1 }.sorted { $0.count > $1.count }
    }

    /// The message, with files below `--files` as requests name them, and of other absolute paths the last part.
    func hidden(in text: String) -> String {
        if !text.contains("/") { return text }
        var text = text
        if let folder, folder != "/" {
            text = text.replacing(folder + "/", with: "").replacing(folder, with: "the folder of --files")
        }
        // Names may have spaces, which nothing below knows of.
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
