import Foundation

/// The colours of one output. There are none with `NO_COLOR`, with `TERM=dumb`, and for a file or a pipe.
struct Terminal {
    /// ANSI colour numbers.
    enum Color: Int {
        case bold = 1
        case red = 31
        case green = 32
        case yellow = 33
        case cyan = 36
    }

    let hasColors: Bool

    init(_ descriptor: Int32) {
        let noColor = ProcessInfo.processInfo.environment["NO_COLOR"] ?? ""
        hasColors = isatty(descriptor) == 1 && noColor.isEmpty && !Self.isDumb
    }

    /// Standard output.
    static var output: Terminal { Terminal(STDOUT_FILENO) }

    /// True for a terminal that does not support control sequences.
    static var isDumb: Bool { ProcessInfo.processInfo.environment["TERM"] == "dumb" }

    func colored(_ text: String, _ color: Color) -> String {
        hasColors ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// A help text: headings are bold, options cyan.
    func help(_ text: String) -> String {
        if !hasColors { return text }
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            if !line.hasPrefix(" "), line.hasSuffix(":") { return colored(String(line), .bold) }
            guard let match = line.prefixMatch(of: /\x20\x20(?:-[A-Za-z],\x20|\x20{4})--[a-z-]+/) else {
                return String(line)
            }
            return colored(String(match.output), .cyan) + line[match.range.upperBound...]
        }.joined(separator: "\n")
    }
}
