import Foundation
import Testing

/// A source that a program registers can be drawn from all inputs. The example `sparkline` is Offstage with numbers
/// as a source.
@Suite struct SourceTests {
    private static let program = Offstage.program("sparkline")
    private static let blue: [UInt8] = [0x1E, 0x90, 0xFF, 0xFF]

    private func run(_ arguments: String..., in folder: Folder) throws -> Outcome {
        try Child([Self.program] + arguments, folder: folder.path).wait()
    }

    /// Checks that zero is a line at the bottom, and that the largest number reaches the top.
    private func expectNumbers(_ picture: Picture, width: Int = 400, height: Int = 60) {
        #expect(picture.size == [width, height])
        #expect((0..<height).filter { picture[width / 4, $0] == Self.blue } == [height - 1])
        #expect((0..<height).allSatisfy { picture[width * 3 / 4, $0] == Self.blue })
    }

    @Test func aFileIsDrawnAndCached() throws {
        try withFolder { folder in
            try folder.write("numbers.csv", Numbers.csv)
            for isCached in [false, true] {
                let outcome = try run("render", "numbers.csv", "--cache", "c", "--json", in: folder)
                #expect(outcome.code == 0, "\(outcome.error)")
                #expect(outcome.text.contains("\"kept\":true") == isCached)
                expectNumbers(try folder.picture("numbers.png"))
            }
        }
    }

    /// The windows are in another program, which does not have the source.
    @Test func browseIsForOffstagesOwnSources() throws {
        try withFolder { folder in
            try folder.write("numbers.csv", Numbers.csv)
            let outcome = try run("browse", "numbers.csv", in: folder)
            #expect(outcome.code == 2)
            #expect(
                outcome.error
                    == "offstage: browse shows only the sources of Offstage itself; run `offstage browse`, or draw "
                    + "with `render`\n")
        }
    }

    /// One run can have both sources in one queue. Options apply to the sources that accept them.
    @Test func aFolderOfNumbersAndHTML() throws {
        try withFolder { folder in
            try folder.write("in/numbers.csv", Numbers.csv)
            try folder.write("in/note.html", row("teal"))
            let outcome = try run(
                "render", "in", "--out", "out", "--no-cache", "--scale", "2", "--trim", "--also", "thumb:40x40",
                in: folder)
            #expect(outcome.code == 0, "\(outcome.error)")
            expectNumbers(try folder.picture("out/numbers.png"), width: 800, height: 120)
            #expect(try folder.picture("out/note.png").width == 800)
            #expect(folder.files("out").count == 4)
        }
    }

    @Test func rowsHaveTheOptionsOfTheirSource() throws {
        try withFolder { folder in
            try folder.write("numbers.csv", Numbers.csv)
            try folder.write(
                "rows.jsonl",
                #"{"identifier": "s", "file": "numbers.csv", "width": 200, "height": 30}"# + "\n"
                    + #"{"identifier": "h", "html": "<p>Hi", "width": "fit"}"#)
            let outcome = try run("render", "--manifest", "rows.jsonl", "--out", "out", "--no-cache", in: folder)
            #expect(outcome.code == 0, "\(outcome.error)")
            expectNumbers(try folder.picture("out/s.png"), width: 200, height: 30)
            try folder.write("wrong.jsonl", #"{"identifier": "s", "file": "numbers.csv", "selector": "p"}"#)
            let refused = try run("render", "--manifest", "wrong.jsonl", "--out", "out", in: folder)
            #expect(refused.code == 2)
            #expect(refused.error.contains("\"selector\" is not an option of the source sparkline"))
        }
    }

    @Test func thePipeAndTheService() throws {
        try withFolder { folder in
            try folder.write("numbers.csv", Numbers.csv)
            let pipe = try PipeProgram("--no-cache", program: Self.program, in: folder)
            pipe.send(#"{"id": "s", "file": "numbers.csv", "width": 200, "inline": true}"#)
            let result = try pipe.result("s")
            expectNumbers(try Picture(result.data ?? Data()), width: 200)
            #expect(try pipe.end().outcome.code == 0)

            let service = try Service(program: Self.program, in: folder)
            let answer = try service.draw(Numbers.csv, type: "text/csv", "width=200")
            #expect(answer.status == 200)
            #expect(answer.body == result.data)
            let unknown = try service.draw(Numbers.csv, type: "audio/x-unknown", "width=200")
            #expect(unknown.status == 415)
            #expect(unknown.headers["accept-post"]?.contains("text/csv") == true)
            #expect(try service.ask("GET", "/v1/openapi.json").text.contains("text/csv"))
            #expect(try service.stop().code == 0)
        }
    }

    @Test func aDamagedFileCostsOneResult() throws {
        try withFolder { folder in
            try folder.write("in/a.csv", "no number")
            try folder.write("in/b.csv", Numbers.csv)
            let outcome = try run("render", "in", "--out", "out", "--no-cache", in: folder)
            #expect(outcome.code == 1)
            #expect(
                outcome.error.contains(
                    "in/a.csv: not all of its words are numbers; use numbers with commas between them"))
            expectNumbers(try folder.picture("out/b.png"))
        }
    }
}
