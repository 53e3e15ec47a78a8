import Foundation
import Offstage

/// Reports the progress of a run to the user, input by input in their order.
struct Reporter {
    enum Style {
        /// A progress bar on standard error.
        case bar
        /// One line per picture on standard error.
        case lines
        /// Errors only.
        case quiet
    }

    let style: Style
    /// One JSON line per picture on standard output.
    let isJSON: Bool
    private var progress: Progress

    init(isQuiet: Bool, isJSON: Bool, total: Int) {
        // JSON lines are for programs: do not repeat their content on standard error.
        style = isQuiet ? .quiet : Console.isTerminal && !Terminal.isDumb ? .bar : isJSON ? .quiet : .lines
        self.isJSON = isJSON
        progress = Progress(total: total)
        if style == .bar { Console.status(progress.bar) }
    }

    /// - Throws: if `--json` cannot be written.
    mutating func report(_ results: [PictureResult]) throws(FileError) {
        progress.count(results)
        if style == .bar { Console.status(Progress.erase) }
        for result in results {
            if style == .lines, result.status != .failed { Console.line(line(for: result)) }
            if let error = result.error { Console.error(([error] + hint(result)).joined(separator: "; "), as: .error) }
            for (_, file) in result.failures.sorted(by: { $0.key < $1.key }) { Console.error(file.error, as: .error) }
        }
        if style != .quiet, let first = results.first { tellWarnings(of: first) }
        if style == .bar { Console.status(progress.bar) }
        if isJSON { for result in results { try Console.print(result.json) } }
    }

    /// Reports that the run is suspended, or resumes.
    mutating func pause(_ isOn: Bool) {
        progress.pause(isOn)
        if style == .bar { Console.status(Progress.erase + progress.bar) }
        if style == .lines { Console.line(isOn ? Progress.pauseText : "resumed") }
    }

    private func line(for result: PictureResult) -> String {
        let size = result.size.map { "\($0)" } ?? ""
        let time = result.isCached ? "cached" : result.milliseconds.map { String(format: "%.1f ms", $0) } ?? ""
        return "[\(progress.done)/\(progress.total)] \(result.identifier)  \(size)  \(time)"
    }

    /// All parts of an input have the same warnings. If a warning is the reason for the failure, the error already
    /// contains it.
    private func tellWarnings(of result: PictureResult) {
        if result.error != nil { return }
        for group in result.warnings.grouped {
            let hint = group.code == .resourceBlocked ? hint(result) : []
            Console.error("\(result.input.name): " + (["\(group)"] + hint).joined(separator: "; "), as: .warning)
        }
    }

    private func hint(_ result: PictureResult) -> [String] {
        AllowHostHint.text(for: result.warnings).map { [$0] } ?? []
    }

    /// Prints the final line: the number of pictures, the duration and the location.
    func finish(place: String?) {
        if style == .bar { Console.status(Progress.erase) }
        if style != .quiet { Console.line(progress.summary(place: place)) }
    }
}
