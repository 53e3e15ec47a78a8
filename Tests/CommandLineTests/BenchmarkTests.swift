import Foundation
import Testing

/// The benchmark program, with the smallest amount of work.
@Suite struct BenchmarkTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let program = Offstage.program("bench")

    private static func bench(_ arguments: String..., in folder: Folder) throws -> Outcome {
        try Child([program] + arguments, folder: folder.path).wait()
    }

    @Test func aQuickRunGivesFiguresAndAChart() throws {
        try withFolder { folder in
            let outcome = try Self.bench("--quick", "--root", Self.root.path, "--out", "o", "plain", in: folder)
            #expect(outcome.code == 0, "\(outcome.error)")
            #expect(outcome.text.split(separator: "\n").contains { $0.hasPrefix("plain.scale-1 ") })
            // The program has removed its documents and their pictures.
            #expect(folder.files() == ["o/chart.png", "o/results.json"])
            #expect(try folder.picture("o/chart.png").width == 1720)
            let json = try #require(
                try JSONSerialization.jsonObject(with: folder.data("o/results.json")) as? [String: Any])
            let names = (json["measures"] as? [[String: Any]])?.compactMap { $0["name"] as? String }
            #expect(
                names?.sorted() == [
                    "calibration.compute", "calibration.switch", "plain.scale-1", "plain.scale-1.processors",
                ])
            #expect(Set((json["versions"] as? [String: String] ?? [:]).keys) == ["GTK", "Offstage", "WebKitGTK"])
            // Another program validates the results with the schema.
            let schema = Self.root.path + "/Benchmarks/results.schema.json"
            let script =
                "import json, jsonschema; jsonschema.validate(*(json.load(open(f)) for f in ['o/results.json', '\(schema)']))"
            let check = try Child(["/usr/bin/python3", "-c", script], folder: folder.path).wait()
            #expect(check.code == 0, "\(check.error)")

            // The same run, compared with thresholds: a measure that has become worse fails and is named.
            for (recorded, code) in [(1e6, Int32(0)), (1e-6, 1)] {
                try folder.write(
                    "t.json",
                    """
                    {"format": 1, "quick": true, "ratios": [{"name": "plain", "of": "plain.scale-1",
                    "to": "calibration.compute", "recorded": \(recorded), "margin": 0.1}]}
                    """)
                let check = try Self.bench("--check", "t.json", "--results", "o/results.json", in: folder)
                #expect(check.code == code)
                #expect(check.error == (code == 0 ? "" : "bench: worse than t.json allows: plain\n"))
            }
            // Thresholds that have just been recorded are met.
            let record = try Self.bench("--record", "t.json", "--results", "o/results.json", in: folder)
            #expect(record.code == 0, "\(record.error)")
            #expect(try Self.bench("--check", "t.json", "--results", "o/results.json", in: folder).code == 0)
        }
    }

    @Test func wrongUseIsTold() throws {
        try withFolder { folder in
            for (arguments, word) in [
                (["--fast"], "--fast"), (["--program", "/nowhere"], "/nowhere"), (["none"], "'none'"),
            ] {
                let outcome = try Child([Self.program] + arguments, folder: folder.path).wait()
                #expect(outcome.code == 1)
                #expect(outcome.errorLines.count == 1 && outcome.error.contains(word), "\(outcome.error)")
            }
        }
    }

    @Test func whatCannotBeMeasuredIsSaid() throws {
        try withFolder { folder in
            let outcome = try Self.bench("--quick", "--root", Self.root.path, "--out", "o", "emails", in: folder)
            #expect(outcome.code == 0, "\(outcome.error)")
            #expect(outcome.text.contains("left out: emails: --emails names no folder\n"))
        }
    }
}
