import Benchmarking
import Foundation

/// Draws the pages of a score, compared with other programs if they are installed.
struct PagesWorkload: Workload {
    static let name = "pages"
    static let summary =
        "A score of 200 pages into 1024 x 768; beside pdftoppm, pdftocairo, mutool and pypdfium2, if they are installed"
    static let repetitions = (full: 3, quick: 1)

    private var (input, count) = ("", 0)

    mutating func prepare(_ bench: Bench) throws {
        count = bench.isQuick ? 20 : 200
        input = bench.work + "/score-\(count).pdf"
        try ScoreDocument(pages: count).data.write(to: URL(fileURLWithPath: input))
    }

    func measure(_ bench: Bench) throws {
        let folder = try bench.emptyFolder("pages")
        try measure(
            bench, "offstage",
            [
                bench.program, "render", input, "--pages", "all", "--fit", "1024x768", "--jobs", "2", "--no-cache",
                "--quiet", "--out", folder,
            ])
        try measureVariants(bench)
        let prefix = try bench.emptyFolder("pages-peer") + "/p"
        // A page is taller than it is wide, so its height is the longer side.
        try measurePeer(bench, "pdftoppm", "/usr/bin/pdftoppm", ["-png", "-scale-to", "768", input, prefix])
        try measurePeer(bench, "pdftocairo", "/usr/bin/pdftocairo", ["-png", "-scale-to", "768", input, prefix])
        try measurePeer(bench, "mutool", "/usr/bin/mutool", ["draw", "-h", "768", "-o", prefix + "%d.png", input])
        let script =
            "import sys, pypdfium2\nfor n, page in enumerate(pypdfium2.PdfDocument(sys.argv[1])):\n"
            + "    page.render(scale=768 / page.get_height()).to_pil().save(f'{sys.argv[2]}{n}.png', compress_level=1)"
        guard (try? bench.run(["/usr/bin/python3", "-c", "import pypdfium2, PIL"])) != nil else { return }
        try measurePeer(bench, "pypdfium2", "/usr/bin/python3", ["-c", script, input, prefix])
    }

    /// Measures all three variants of pages without annotations.
    private func measureVariants(_ bench: Bench) throws {
        let folder = try bench.emptyFolder("pages")
        try measure(
            bench, "variants",
            [
                bench.program, "render", input, "--pages", "all", "--fit", "1024x768", "--jobs", "2", "--no-cache",
                "--variant", "plain,annotated,thumbnail", "--quiet", "--out", folder,
            ])
    }

    private func measurePeer(_ bench: Bench, _ name: String, _ path: String, _ arguments: [String]) throws {
        guard access(path, X_OK) == 0 else { return }
        try measure(bench, name, [path] + arguments)
    }

    private func measure(_ bench: Bench, _ name: String, _ arguments: [String]) throws {
        let start = ContinuousClock.now
        let run = try bench.run(arguments)
        let wall = start.duration(to: .now) / .milliseconds(1)
        bench.measures.add(
            "pages.\(name)", "A page of a score, \(name)", unit: "ms a page", wall / Double(count))
        bench.measures.add(
            "pages.\(name).processors", "The same: processor time", unit: "CPU ms a page",
            run.processors * 1000 / Double(count))
    }
}

/// A document that resembles a score, with staves, notes and words. It is the same in each run.
private struct ScoreDocument {
    let pages: Int

    var data: Data {
        var objects = [
            "<< /Type /Catalog /Pages 2 0 R >>",
            "<< /Type /Pages /Kids [\((0..<pages).map { "\(4 + 2 * $0) 0 R" }.joined(separator: " "))] /Count \(pages) >>",
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        ]
        for page in 0..<pages {
            let content = content(of: page)
            objects.append(
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> "
                    + "/Contents \(5 + 2 * page) 0 R >>")
            objects.append("<< /Length \(content.utf8.count) >>\nstream\n\(content)\nendstream")
        }
        var (text, places) = ("%PDF-1.7\n", [Int]())
        for (index, object) in objects.enumerated() {
            places.append(text.utf8.count)
            text += "\(index + 1) 0 obj\n\(object)\nendobj\n"
        }
        let start = text.utf8.count
        text += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
        for place in places { text += String(format: "%010d 00000 n \n", place) }
        return Data((text + "trailer\n<< /Size \(objects.count + 1) /Root 1 0 R >>\nstartxref\n\(start)\n%%EOF\n").utf8)
    }

    private func content(of page: Int) -> String {
        var lines = ["0.5 w BT /F1 16 Tf 60 800 Td (Score, page \(page + 1)) Tj ET"]
        for staff in 0..<12 {
            let top = 740 - 60 * staff
            for line in 0..<5 { lines.append("40 \(top - 6 * line) m 555 \(top - 6 * line) l S") }
            for note in 0..<48 {
                let x = 50 + Double(note) * 10.5
                let y = Double(top - (note * 7 + staff * 5 + page * 3) % 9 * 3)
                lines.append("\(x) \(y) m \(x) \(y + 1.8) \(x + 5.4) \(y + 2.6) \(x + 5.6) \(y + 0.4) c")
                lines.append("\(x + 5.6) \(y - 1.8) \(x + 0.4) \(y - 2.4) \(x) \(y) c f")
                lines.append("0.7 w \(x + 5.5) \(y) m \(x + 5.5) \(y + 20) l S")
                if note % 4 == 0 { lines.append("2.4 w \(x + 5.5) \(y + 20) m \(x + 26) \(y + 21) l S 0.5 w") }
            }
            lines.append("BT /F1 8 Tf 50 \(top + 10) Td (Measure \(staff * 4 + 1) dolce espressivo) Tj ET")
        }
        return lines.joined(separator: "\n")
    }
}
