import Foundation

/// The output of `bench.py` in the peers' harness: one JSON line per program and scale.
public struct PeerResult: Sendable, Hashable, Decodable {
    public var peer: String
    /// Device px per CSS px.
    public var scale: Double
    /// Milliseconds per row between the first picture and the last; nil if there were fewer than two.
    public var steady: Double?
    /// Seconds from the start to the first picture.
    public var cold: Double?
    /// The highest memory of all processes, as PSS in MiB.
    public var memory: Double?
    /// The number of rows without a picture.
    public var missing: Int?

    private enum CodingKeys: String, CodingKey {
        case peer, scale, missing
        case steady = "steady_ms_per_snippet"
        case cold = "cold_first_png_s"
        case memory = "peak_pss_mb"
    }

    /// - Throws: `BenchmarkError` with the file, and the line that is invalid.
    public static func read(_ path: String) throws(BenchmarkError) -> [PeerResult] {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw BenchmarkError("cannot read \(path); name a file that bench.py wrote")
        }
        var all: [PeerResult] = []
        for (index, line) in text.split(separator: "\n").enumerated() {
            guard let one = try? JSONDecoder().decode(PeerResult.self, from: Data(line.utf8)) else {
                throw BenchmarkError("\(path):\(index + 1): not a line of bench.py")
            }
            all.append(one)
        }
        return all
    }
}

extension [PeerResult] {
    /// Each figure of each peer, and ours divided by it: below 1 means that ours is better.
    ///
    /// - Throws: an error if our own program is not among them.
    public func table(ours: String) throws(BenchmarkError) -> String {
        guard contains(where: { $0.peer == ours }) else {
            throw BenchmarkError("there is no line of '\(ours)' to compare the peers with")
        }
        var table = TextTable(
            ["program", "scale", "ms a row", "ours/it", "first, s", "ours/it", "PSS, MiB", "ours/it", "missing"],
            numbers: Set(1...8))
        for one in self {
            let mine = first { $0.peer == ours && $0.scale == one.scale }
            func cells(_ figure: (PeerResult) -> Double?) -> [String] {
                guard let its = figure(one) else { return ["-", ""] }
                guard one.peer != ours, let ours = mine.flatMap(figure), its > 0 else { return [short(its), ""] }
                return [short(its), String(format: "%.2f", ours / its)]
            }
            table.add(
                [one.peer, String(format: "%g", one.scale)] + cells(\.steady) + cells(\.cold) + cells(\.memory)
                    + [one.missing.map { "\($0)" } ?? "-"])
        }
        return table.text
    }
}
