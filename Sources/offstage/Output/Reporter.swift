import Foundation
import Offstage

/// Tells the user how a run goes, result by result in the order of the input.
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
    mutating func report(_ result: PictureResult) throws(FileError) {
        progress.count(result)
        if style == .bar { Console.status(Progress.erase) }
        if style == .lines, result.status != .failed { Console.status(line(for: result)) }
        tellTrouble(result)
        if style == .bar { Console.status(progress.bar) }
        if isJSON { try Console.print(result.json) }
    }

    private func line(for result: PictureResult) -> String {
        let size = result.size.map { "\($0)" } ?? ""
        let time = result.milliseconds.map { String(format: "%.1f ms", $0) } ?? ""
        return "[\(progress.done)/\(progress.total)] \(result.input.identifier)  \(size)  \(time)\n"
    }

    private func tellTrouble(_ result: PictureResult) {
        // An error names what is missing itself, where that is why it failed.
        if let error = result.error { return Console.error(error) }
        if style == .quiet { return }
        for warning in result.warnings { Console.error("\(result.input.name): \(warning)") }
    }

    /// The last line: how many, how long, and where.
    func finish(place: String?) {
        if style == .bar { Console.status(Progress.erase) }
        if style != .quiet { Console.status(progress.summary(place: place) + "\n") }
    }
}
