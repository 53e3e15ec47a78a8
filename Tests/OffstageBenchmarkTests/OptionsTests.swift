import Benchmarking
import Testing

@Suite struct OptionsTests {
    @Test func everythingHasADefault() throws {
        let options = try Options([])
        #expect(options.mode == .run && options.workloads.isEmpty && options.root == "." && options.repetitions == 1)
    }

    @Test func optionsAndWorkloadsMayStandInAnyOrder() throws {
        let options = try Options([
            "rows", "--quick", "--repetitions", "3", "cold", "--emails", "a b", "--check", "t.json",
        ])
        #expect(options.workloads == ["rows", "cold"])
        #expect(options.isQuick && options.repetitions == 3 && options.emails == "a b")
        #expect(options.mode == .check("t.json"))
    }

    @Test(arguments: [
        ["--fast"], ["--repetitions", "0"], ["--repetitions", "many"], ["--check"], ["--out", ""], ["-q"], ["--worker"],
    ])
    func wrongUseIsNamed(_ arguments: [String]) {
        #expect { try Options(arguments) } throws: { "\($0)".contains(arguments[0]) }
    }

    @Test func helpNamesEachOption() throws {
        for name in ["--quick", "--check FILE", "--emails FOLDER"] { #expect(Options.help.contains(name)) }
    }

    @Test func aWorkerTakesTheRest() throws {
        #expect(try Options(["--worker", "hits", "--quick", "a"]).mode == .worker("hits", ["--quick", "a"]))
    }
}
