import Foundation
import Offstage

/// Tells the user how a run goes, input by input in their order.
struct Reporter {
    enum Style {
        /// A bar on standard error that moves.
        case bar
        /// A line a picture on standard error.
        case lines
        /// Errors only.
        case quiet
    }

    let style: Style
    /// A JSON line a picture on standard output.
    let isJSON: Bool
    private var progress: Progress

    init(isQuiet: Bool, isJSON: Bool, total: Int) {
        // JSON lines are for programs: what they hold need not be told again.
        style = isQuiet ? .quiet : Console.isTerminal ? .bar : isJSON ? .quiet : .lines
        self.isJSON = isJSON
        progress = Progress(total: total)
        if style == .bar { Console.status(progress.bar) }
    }

    /// - Throws: where `--json` cannot be written.
    mutating func report(_ results: [PictureResult]) throws(FileError) {
        progress.count(results)
        if style == .bar { Console.status(Progress.erase) }
        for result in results {
            if style == .lines, result.status != .failed { Console.line(line(for: result)) }
            if let error = result.error { Console.error(([error] + hint(result)).joined(separator: "; ")) }
        }
        if style != .quiet, let first = results.first { tellWarnings(of: first) }
        if style == .bar { Console.status(progress.bar) }
        if isJSON { for result in results { try Console.print(result.json) } }
    }

    /// The run is paused, or goes on.
    mutating func pause(_ isOn: Bool) {
        progress.pause(isOn)
        if style == .bar { Console.status(Progress.erase + progress.bar) }
        if style == .lines { Console.line(isOn ? Progress.pauseText : "going on") }
    }

    private func line(for result: PictureResult) -> String {
        let size = result.size.map { "\($0)" } ?? ""
        let time = result.isKept ? "kept" : result.milliseconds.map { String(format: "%.1f ms", $0) } ?? ""
        return "[\(progress.done)/\(progress.total)] \(result.identifier)  \(size)  \(time)"
    }

    /// The parts of an input lack the same. An error names what is missing itself, where that is why it failed.
    private func tellWarnings(of result: PictureResult) {
        if result.error != nil { return }
        for group in result.warnings.grouped {
            let hint = group.code == .resourceBlocked ? hint(result) : []
            Console.error("\(result.input.name): " + (["\(group)"] + hint).joined(separator: "; "))
        }
    }

    private func hint(_ result: PictureResult) -> [String] {
        AllowHostHint.text(for: result.warnings).map { [$0] } ?? []
    }

    /// The last line: how many, how long, and where.
    func finish(place: String?) {
        if style == .bar { Console.status(Progress.erase) }
        if style != .quiet { Console.line(progress.summary(place: place)) }
    }
}
