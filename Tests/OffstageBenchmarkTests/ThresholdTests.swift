import Benchmarking
import Foundation
import Testing

@Suite struct ThresholdTests {
    private static func results(_ row: [Double], _ calibration: [Double] = [20, 10, 30]) -> Results {
        Results(
            date: Date(timeIntervalSince1970: 0), isQuick: false,
            machine: Results.Machine(processor: "P", cores: 2, memoryMiB: 1024, kernel: "6.1"), versions: [:],
            measures: [
                Measure("rows.scale-1", "Rows", unit: "ms a row", samples: row),
                Measure("calibration.compute", "Work", unit: "ms", samples: calibration),
                Measure("store.disk.hits", "Hits", unit: "a second", better: .higher, samples: [1000]),
            ])
    }

    private static let ratio = Thresholds.Ratio(
        name: "row", of: "rows.scale-1", to: "calibration.compute", recorded: 0.5, margin: 0.2)

    private static func isWithin(_ row: [Double]) throws -> Bool {
        try Thresholds(ratios: [ratio]).verdicts(on: results(row))[0].isWithin
    }

    @Test func theMarginIsAllowedAndNoMore() throws {
        // The calibration's best value is 10, so 6 is a ratio of 0.6, which is a fifth above 0.5.
        #expect(try Self.isWithin([5]))
        #expect(try Self.isWithin([6]))
        #expect(try !Self.isWithin([6.01]))
        #expect(try Self.isWithin([1]))
    }

    @Test func theBestSamplesAreCompared() throws {
        let verdict = try Thresholds(ratios: [Self.ratio]).verdicts(on: Self.results([90, 4, 80]))[0]
        #expect(verdict.value == 0.4)
        #expect(abs(verdict.change + 0.2) < 1e-9)
    }

    @Test func whatIsWorseIsNamed() throws {
        let text = try Thresholds(ratios: [Self.ratio]).verdicts(on: Self.results([7])).table
        #expect(text.contains("WORSE"))
        #expect(text.contains("+40 %"))
        #expect(try !Thresholds(ratios: [Self.ratio]).verdicts(on: Self.results([5])).table.contains("WORSE"))
    }

    @Test func recordingKeepsNamesAndMargins() throws {
        let new = try Thresholds(ratios: [Self.ratio]).recorded(from: Self.results([3.33333]))
        #expect(new.ratios[0].recorded == 0.333)
        #expect(new.ratios[0].margin == 0.2)
        #expect(new.ratios[0].name == "row")
    }

    @Test(arguments: ["rows.none", "store.disk.hits"])
    func whatCannotBeComparedIsAnError(_ name: String) {
        var ratio = Self.ratio
        ratio.of = name
        #expect { try Thresholds(ratios: [ratio]).verdicts(on: Self.results([5])) } throws: { "\($0)".contains(name) }
    }

    @Test func aQuickRunIsNotComparedWithAWholeOne() {
        #expect { try Thresholds(isQuick: true, ratios: [Self.ratio]).verdicts(on: Self.results([5])) } throws: {
            "\($0)".contains("--quick")
        }
    }

    @Test func theirWorkloadsAreKnown() {
        #expect(Thresholds(ratios: [Self.ratio]).workloads == ["rows", "calibration"])
    }

    @Test func theProjectsOwnAreWhole() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Benchmarks/thresholds.json")
        let thresholds = try Thresholds(contentsOf: file.path)
        #expect(thresholds.ratios.count > 5 && thresholds.isQuick)
        #expect(Set(thresholds.ratios.map(\.name)).count == thresholds.ratios.count)
        for ratio in thresholds.ratios {
            #expect(ratio.recorded > 0, "\(ratio.name)")
            #expect((0.01...1).contains(ratio.margin), "\(ratio.name)")
        }
        // The file is exactly what a new recording would write.
        #expect(try thresholds.encoded() == Data(contentsOf: file))
    }
}
