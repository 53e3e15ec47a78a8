import OffstageRequests

/// The completions for a position on the command line, derived from the names of values in `--help`.
struct Completion {
    var files = false
    var folders = false
    /// Literal words: `fit` of `PX|fit`.
    var words: [String] = []

    init(_ value: String) {
        for part in value.split(whereSeparator: { "[]|…".contains($0) }) {
            switch part {
            case "FILE": files = true
            case "FOLDER": folders = true
            case _ where part.first!.isLowercase: words.append(String(part))
            default: break
            }
        }
    }
}

extension OptionTable.Option {
    /// The forms on the command line: `--output`, `-o`.
    var spellings: [String] { ["--\(name)"] + (letter.map { ["-\($0)"] } ?? []) }
}
