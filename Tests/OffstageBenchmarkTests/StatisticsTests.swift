import Benchmarking
import Testing

@Suite struct StatisticsTests {
    @Test func nothingHasNoStatistics() { #expect(Statistics([]) == nil) }

    @Test func theMedianIsInTheMiddle() throws {
        #expect(try #require(Statistics([9, 1, 5])).median == 5)
        #expect(try #require(Statistics([9, 1, 5, 6])).median == 5.5)
        #expect(try #require(Statistics([7])).median == 7)
    }

    @Test func percentilesAreSamples() throws {
        let hundred = try #require(Statistics((1...100).map(Double.init).reversed()))
        #expect(hundred.percentile(0.99) == 99)
        #expect(hundred.percentile(0.5) == 50)
        #expect(hundred.percentile(0) == 1)
        #expect(hundred.percentile(1) == 100)
        // With few values, the highest is the 99th percentile.
        #expect(try #require(Statistics([1, 2, 3])).percentile(0.99) == 3)
    }

    @Test func theSpreadIsFromTheLowestToTheHighest() throws {
        let some = try #require(Statistics([3, 1, 2]))
        #expect([some.low, some.high, some.sum] == [1, 3, 6])
    }

    @Test func theBestSampleGoesByTheDirection() {
        #expect(Measure("a", "A", unit: "ms", samples: [3, 1, 2]).best == 1)
        #expect(Measure("a", "A", unit: "a second", better: .higher, samples: [3, 1, 2]).best == 3)
    }

    @Test func anAimIsReachedByTheMedian() {
        #expect(Measure("a", "A", unit: "ms", samples: [1]).reachesAim == nil)
        #expect(Measure("a", "A", unit: "ms", aim: 2, samples: [1, 2, 9]).reachesAim == true)
        #expect(Measure("a", "A", unit: "ms", aim: 2, samples: [1, 3, 9]).reachesAim == false)
        #expect(Measure("a", "A", unit: "a second", better: .higher, aim: 2, samples: [3]).reachesAim == true)
    }

    @Test func samplesOfOneNameAreOneMeasure() {
        var measures = Measures()
        measures.add("a", "A", unit: "ms", 1)
        measures.add("b", "B", unit: "s", 5)
        measures.add("a", "A", unit: "ms", 2)
        #expect(measures.all.map(\.name) == ["a", "b"])
        #expect(measures.all[0].samples == [1, 2])
    }

    @Test(arguments: [
        (0, "0.00"), (0.0341, "0.034"), (0.0949, "0.095"), (0.951, "0.95"), (4.206, "4.21"), (9.951, "10.0"),
        (58.04, "58.0"),
        (99.6, "100"), (512.4, "512"), (104_213, "104,213"), (1_000_000, "1,000,000"), (-1234, "-1,234"),
    ])
    func figuresHaveTheDigitsThatMeanSomething(_ value: Double, _ text: String) { #expect(short(value) == text) }
}
