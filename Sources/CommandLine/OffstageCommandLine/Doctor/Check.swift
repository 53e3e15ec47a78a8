import Foundation
import OffstageRequests
import OffstageService

/// One result of `offstage doctor`.
struct Check: Encodable {
    enum State: String, Encodable {
        case ok
        /// Drawing works, but some pictures may lack something.
        case remark
        /// Nothing can be drawn.
        case failure

        var color: Terminal.Color {
            switch self {
            case .ok: .green
            case .remark: .yellow
            case .failure: .red
            }
        }

        /// The beginning of the line.
        var mark: String {
            switch self {
            case .ok: "ok  "
            case .remark: "note"
            case .failure: "FAIL"
            }
        }
    }

    var name: String
    var state: State
    /// The finding: a sentence without its full stop.
    var detail: String
    /// The packages to install or the settings to change.
    var remedy: String?

    static func ok(_ name: String, _ detail: String) -> Check { Check(name: name, state: .ok, detail: detail) }
    static func remark(_ name: String, _ detail: String, remedy: String) -> Check {
        Check(name: name, state: .remark, detail: detail, remedy: remedy)
    }
    static func failure(_ name: String, _ detail: String, remedy: String?) -> Check {
        Check(name: name, state: .failure, detail: detail, remedy: remedy)
    }

    func line(_ terminal: Terminal) -> String {
        let rest =
            "  \(name.padding(toLength: 22, withPad: " ", startingAt: 0))\(detail)" + (remedy.map { "; \($0)" } ?? "")
        return terminal.colored(state.mark, state.color) + rest.printable
    }
}

/// The complete result of `offstage doctor`.
struct Diagnosis: Encodable {
    var version: String
    /// True: pictures can be drawn.
    var works: Bool
    var checks: [Check]

    init(_ checks: [Check]) {
        version = CommandLineTool.version
        works = !checks.contains { $0.state == .failure }
        self.checks = checks
    }

    /// One line, keys in alphabetical order.
    var json: String { String(decoding: jsonLine, as: UTF8.self) }

    func text(_ terminal: Terminal) -> String {
        let verdict = works ? "Drawing works here." : "Drawing does not work here: see the lines that begin with FAIL."
        return (checks.map { $0.line(terminal) } + ["", verdict]).joined(separator: "\n")
    }
}
