import Benchmarking
import Foundation
import Testing

@Suite struct ResultsTests {
    static let results = Results(
        date: Date(timeIntervalSince1970: 0), isQuick: true,
        machine: Results.Machine(processor: "<P>", cores: 2, memoryMiB: 1024, kernel: "6.1"),
        versions: ["Offstage": "1.2"],
        measures: [
            Measure("rows.scale-1", "Rows & more", unit: "ms a row", aim: 2.5, samples: [3, 2, 4]),
            Measure("store.disk.hits", "Hits", unit: "a second", better: .higher, aim: 50, samples: [100]),
        ],
        series: [
            Results.Series(
                name: "memory", title: "Memory", x: "rows", y: "MiB", points: [[0, 10], [50, 20], [100, 20]])
        ],
        leftOut: [Results.LeftOut(workload: "emails", reason: "no folder")])

    @discardableResult
    private static func withFile<R>(_ data: Data, _ body: (String) throws -> R) throws -> R {
        let path = NSTemporaryDirectory() + "offstage-test-\(UUID().uuidString).json"
        try data.write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try body(path)
    }

    @Test func resultsComeBackFromTheirFile() throws {
        #expect(try Self.withFile(Self.results.encoded()) { try Results(contentsOf: $0) } == Self.results)
    }

    @Test func theFileHasWhatFollowsFromTheSamples() throws {
        let object = try #require(JSONSerialization.jsonObject(with: Self.results.encoded()) as? [String: Any])
        #expect(object["date"] as? String == "1970-01-01T00:00:00Z")
        #expect(object["quick"] as? Bool == true)
        let first = try #require((object["measures"] as? [[String: Any]])?.first)
        #expect(first["median"] as? Double == 3)
        #expect(first["low"] as? Double == 2)
        #expect(first["high"] as? Double == 4)
    }

    @Test(arguments: ["", "{}", "[1]"])
    func aFileThatIsNoneIsNamed(_ text: String) throws {
        try Self.withFile(Data(text.utf8)) { path in
            #expect { try Results(contentsOf: path) } throws: { "\($0)".contains(path) }
        }
        #expect { try Results(contentsOf: "/nowhere/a.json") } throws: { "\($0)".contains("/nowhere/a.json") }
    }

    @Test func resultsOfAnotherFormatAreNotRead() throws {
        let text = String(decoding: try Self.results.encoded(), as: UTF8.self)
        let other = text.replacingOccurrences(of: "\"format\" : 1", with: "\"format\" : 2")
        #expect(other != text)
        try Self.withFile(Data(other.utf8)) { path in
            #expect { try Results(contentsOf: path) } throws: { "\($0)".contains("format 2") }
        }
    }

    @Test func theTableHasMedianSpreadAndAim() {
        let lines = Self.results.table.split(separator: "\n").map { $0.split(separator: " ") }
        #expect(lines[1] == ["rows.scale-1", "3.00", "2.00", "4.00", "3", "ms", "a", "row", "≤", "2.50", "missed"])
        #expect(lines[2] == ["store.disk.hits", "100", "100", "100", "1", "a", "second", "≥", "50.0", "reached"])
        #expect(Self.results.table.contains("left out: emails: no folder"))
    }

    @Test func theChartHasEachFigure() throws {
        let row = try #require(
            try JSONSerialization.jsonObject(with: Chart.data(of: Self.results)) as? [String: String])
        let sections = try #require(row["sections"])
        #expect(sections.contains("Rows &amp; more"))
        #expect(sections.contains("3.00 ms a row"))
        #expect(sections.contains("class=\"missed\" style=\"width: 60.00%\""))
        #expect(sections.contains("class=\"reached\" style=\"width: 25.00%\""))
        // The line's highest value is at the top, and zero is at the bottom.
        #expect(sections.contains("M0.0 82.0L400.0 14.0L800.0 14.0"))
        #expect(try #require(row["about"]).contains("<P> · 2 cores · 1024 MiB · Offstage 1.2 · a quick run"))
    }

    @Test func peersAreComparedByScale() throws {
        let lines = """
            {"peer": "offstage", "scale": 1, "steady_ms_per_snippet": 2.0, "cold_first_png_s": 0.2, "peak_pss_mb": 300}
            {"peer": "other", "scale": 1, "steady_ms_per_snippet": 8.0, "cold_first_png_s": null, "missing": 3}
            {"peer": "other", "scale": 2, "steady_ms_per_snippet": 9.0}

            """
        try Self.withFile(Data(lines.utf8)) { path in
            let table = try PeerResult.read(path).table(ours: "offstage").split(separator: "\n")
            #expect(table[2].split(separator: " ") == ["other", "1", "8.00", "0.25", "-", "-", "3"])
            #expect(table[3].split(separator: " ") == ["other", "2", "9.00", "-", "-", "-"])
            #expect { try PeerResult.read(path).table(ours: "mine") } throws: { "\($0)".contains("'mine'") }
        }
        try Self.withFile(Data((lines + "nothing\n").utf8)) { path in
            #expect { try PeerResult.read(path) } throws: { "\($0)".contains(":4: ") }
        }
    }
}
