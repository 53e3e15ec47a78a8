import Benchmarking
import Foundation

/// Draws pages of strokes, compared with Xournal++ if it is installed.
struct InkWorkload: Workload {
    static let name = "ink"
    static let summary = "Pages of 2,000 and 10,000 strokes at 96 and 192 dpi; beside Xournal++, if it is installed"
    static let repetitions = (full: 5, quick: 1)

    private var inputs: [(strokes: Int, path: String)] = []

    mutating func prepare(_ bench: Bench) throws {
        for strokes in bench.isQuick ? [2_000] : [2_000, 10_000] {
            let path = bench.work + "/ink-\(strokes).xopp"
            try Data(Self.document(strokes).utf8).write(to: URL(fileURLWithPath: path))
            inputs.append((strokes, path))
        }
    }

    func measure(_ bench: Bench) throws {
        let picture = try bench.emptyFolder("ink") + "/a.png"
        for (strokes, path) in inputs {
            for dpi in [96, 192] {
                let name = "\(strokes).\(dpi)"
                try add(
                    bench, "offstage", name,
                    [bench.program, "render", path, "--scale", "\(dpi / 96)", "--no-cache", "-q", "-o", picture])
                let peer = "/usr/bin/xournalpp"
                guard access(peer, X_OK) == 0 else { continue }
                try add(bench, "xournalpp", name, [peer, path, "--create-img=\(picture)", "--export-png-dpi=\(dpi)"])
            }
        }
    }

    private func add(_ bench: Bench, _ program: String, _ name: String, _ command: [String]) throws {
        let run = try bench.run(command)
        bench.measures.add(
            "ink.\(program).\(name)", "A page of \(name.replacing(".", with: " strokes at ")) dpi, \(program)",
            unit: "CPU ms", run.processors * 1000)
    }

    /// Winding strokes of 60 points, with a width for each segment. They are the same in each run. Xournal++ also
    /// reads files without gzip.
    private static func document(_ strokes: Int) -> String {
        var numbers = SeededNumbers()
        let colors = ["#000000ff", "#3333ccff", "#ff0000ff", "#008000ff"]
        var text =
            "<?xml version=\"1.0\"?>\n<xournal creator=\"offstage\" fileversion=\"4\"><title>ink</title>"
            + "<page width=\"595.275591\" height=\"841.889764\"><background type=\"solid\" color=\"#ffffffff\" "
            + "style=\"plain\"/><layer>\n"
        for index in 0..<strokes {
            var (x, y, angle) = (30 + 490 * numbers.next(), 30 + 770 * numbers.next(), 6.28 * numbers.next())
            let step = 0.5 + numbers.next()
            var (places, widths) = ([String](), [String]())
            for point in 0..<60 {
                angle += 1.2 * (numbers.next() - 0.5) + 0.12 * sin(Double(point) / 5)
                (x, y) = (x + step * cos(angle), y + 0.8 * step * sin(angle))
                places.append(String(format: "%.4f %.4f", x, y))
                if point < 59 { widths.append(String(format: "%.4f", 1.1 + 0.5 * sin(Double(point) / 9))) }
            }
            text +=
                "<stroke tool=\"pen\" color=\"\(colors[index % 4])\" width=\"1.41 \(widths.joined(separator: " "))\">"
                + "\(places.joined(separator: " "))</stroke>\n"
        }
        return text + "</layer></page></xournal>\n"
    }
}

/// Numbers from 0 to 1 that are the same in each run.
private struct SeededNumbers {
    private var state: UInt64 = 7

    mutating func next() -> Double {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Double(state >> 11) / Double(1 << 53)
    }
}
