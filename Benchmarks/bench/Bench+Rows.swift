import Benchmarking
import Foundation

extension Bench {
    /// Rows made from the project's snippets, with the machine's fonts or with the snippets' own.
    func rows(_ count: Int, ownFonts: Bool = false) throws -> String {
        try folder((ownFonts ? "font-rows-" : "rows-") + "\(count)") { folder in
            let snippets = options.root + "/Snippets"
            let templates = try RowKinds.names.map { name in
                let file = URL(fileURLWithPath: "\(snippets)/\(name).html")
                let template = RowTemplate(name: name, html: try String(contentsOf: file, encoding: .utf8))
                return ownFonts ? template : template.withSystemFonts
            }
            try FileManager.default.copyItem(atPath: snippets + "/assets", toPath: folder + "/assets")
            if !ownFonts { try removeFonts(of: folder + "/assets") }
            try RowKinds.rows(of: templates, count: count) { try write($1, folder + "/" + $0) }
        }
    }

    private func removeFonts(of assets: String) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: assets) where name.hasSuffix(".css") {
            let path = assets + "/" + name
            try write(RowTemplate.withSystemFonts(String(contentsOfFile: path, encoding: .utf8)), path)
        }
    }

    func plainRows(_ count: Int) throws -> String {
        try folder("plain-\(count)") { folder in
            for number in 0..<count { try write(MadeDocument.plainRow(number), "\(folder)/row-\(number).html") }
        }
    }

    /// Reports with this many lines, each 25 CSS px high.
    func reports(_ count: Int, lines: Int) throws -> String {
        try folder("reports-\(count)-\(lines)") { folder in
            for number in 1...count {
                try write(MadeDocument.report(rows: lines, seed: UInt64(number)), "\(folder)/report-\(number).html")
            }
        }
    }

    private func write(_ text: String, _ path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    /// Draws all documents in a folder in one run.
    ///
    /// - Returns: the run, and the pictures that it wrote.
    /// - Parameter count: the required number of pictures; nil for any number above 0.
    @discardableResult
    func draw(
        _ input: String, count: Int?, _ more: String..., observer: (any ChildProcess.Observer)? = nil
    ) throws -> (run: ChildProcess, files: DrawnFiles) {
        let output = try emptyFolder("out")
        let run = try run(render(input, into: output) + more, observer: observer, mayFail: count == nil)
        let files = DrawnFiles(in: output)
        guard files.count > 0, count.map({ $0 == files.count }) ?? true else {
            throw BenchmarkError("\(files.count) pictures came of \(input), not \(count.map(String.init) ?? "some")")
        }
        return (run, files)
    }

    /// One repetition of drawing a folder's documents: steady milliseconds per document, and processor time.
    func measureDrawing(
        _ input: String, count: Int?, as name: String, _ title: String, unit: String = "ms a row", aim: Double? = nil,
        scale: Int = 1, jobs: Int = 1, width: Int = 400
    ) throws {
        let (run, files) = try draw(
            input, count: count, "--no-cache", "--scale", "\(scale)", "--jobs", "\(jobs)", "--width", "\(width)")
        guard let steady = files.steady else { return }
        measures.add(name, title, unit: unit, aim: aim, steady)
        measures.add(
            name + ".processors", title + ": processor time", unit: "CPU " + unit,
            run.processors * 1000 / Double(files.count))
    }
}
