import OffstageRequests

/// What a shell can offer in a place of the command line; read from the names that stand for values in `--help`.
struct Completion {
    var files = false
    var folders = false
    /// What may stand there as it is: `fit` of `PX|fit`.
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
    /// As on the command line: `--output`, `-o`.
    var spellings: [String] { ["--\(name)"] + (letter.map { ["-\($0)"] } ?? []) }
}
