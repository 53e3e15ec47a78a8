/// The command-line options.
public struct Options: Sendable, Hashable {
    public enum Mode: Sendable, Hashable {
        case run
        case list
        case help
        /// Compare the run with thresholds in a file.
        case check(String)
        /// Write the run's ratios to a file of thresholds.
        case record(String)
        /// Run a part of a benchmark in a separate process, with this input.
        case worker(String, [String])
        /// Print a table of the results that the peers' harness wrote to a file.
        case peers(String)
    }

    public var mode = Mode.run
    /// The workloads to run; empty for all.
    public var workloads: [String] = []
    public var isQuick = false
    /// The minimum number of repetitions of each workload.
    public var repetitions = 1
    /// Results of an earlier run, to use instead of a new run.
    public var results: String?
    /// The measured program; by default, the one beside this program.
    public var program: String?
    /// The project's folder.
    public var root = "."
    public var emails: String?
    public var out = "out/bench"
    public var isLarge = false
    public var isJSON = false

    /// Each option's name, its value and its effect.
    private static let table: [(name: String, value: String?, help: String)] = [
        ("list", nil, "Name the workloads"),
        ("quick", nil, "Fewer repetitions of less work: roughly right in two minutes"),
        ("repetitions", "N", "Repeat each workload N times (default: each has its own number)"),
        ("check", "FILE", "Compare with the thresholds in FILE; exit with 1 if a measure became worse"),
        ("record", "FILE", "Write this run's ratios into FILE, and keep its names and margins"),
        ("results", "FILE", "Show, check or record these results in place of a new run's"),
        ("program", "FILE", "The offstage to measure; default the one beside this program"),
        ("root", "FOLDER", "The project's folder; default ."),
        ("emails", "FOLDER", "HTML files the size of e-mails (default: this workload is left out)"),
        ("out", "FOLDER", "For results.json, chart.png and work files; default out/bench"),
        ("large", nil, "Also 100,000 rows, which takes minutes"),
        ("json", nil, "Print the results as JSON, not as a table"),
        ("peers", "FILE", "Show bench.py's lines in FILE with ratios"),
        ("help", nil, "Show this"),
    ]

    public static let help =
        """
        Usage: bench [OPTION…] [WORKLOAD…]

        Measures offstage, repeatedly, in whole processes. All workloads, or those that are named.


        """
        + table.map { option in
            let name = "--" + option.name + (option.value.map { " " + $0 } ?? "")
            return "  " + name + String(repeating: " ", count: max(1, 20 - name.count)) + option.help + "\n"
        }.joined()

    /// - Throws: a sentence that describes the problem.
    public init(_ arguments: [String]) throws(BenchmarkError) {
        if arguments.first == "--worker" {
            guard arguments.count > 1 else { throw BenchmarkError("--worker needs a name") }
            mode = .worker(arguments[1], Array(arguments.dropFirst(2)))
            return
        }
        var rest = arguments[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("-") else {
                workloads.append(word)
                continue
            }
            guard let option = Self.table.first(where: { "--" + $0.name == word }) else {
                throw BenchmarkError("there is no option \(word); see --help")
            }
            var value = ""
            if option.value != nil {
                guard let next = rest.popFirst(), !next.isEmpty else { throw BenchmarkError("\(word) needs a value") }
                value = next
            }
            try set(option.name, value)
        }
    }

    private mutating func set(_ name: String, _ value: String) throws(BenchmarkError) {
        switch name {
        case "list": mode = .list
        case "help": mode = .help
        case "check": mode = .check(value)
        case "record": mode = .record(value)
        case "peers": mode = .peers(value)
        case "quick": isQuick = true
        case "large": isLarge = true
        case "json": isJSON = true
        case "results": results = value
        case "program": program = value
        case "root": root = value
        case "emails": emails = value
        case "out": out = value
        default:
            guard let number = Int(value), (1...1000).contains(number) else {
                throw BenchmarkError("--repetitions takes a number from 1 to 1000")
            }
            repetitions = number
        }
    }
}
