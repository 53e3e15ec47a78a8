import Foundation
import Testing

/// The output of a run: JSON lines, one per picture; plain lines on a pipe; a bar on a terminal; nothing with
/// `--quiet`.
@Suite struct ReportTests {
    /// A good picture, one that lacks a file, three that fail, and another good one.
    private func writeInputs(_ folder: Folder) throws -> [String] {
        try folder.write("a.html", row())
        try folder.write("b.html", "<img src=gone.png alt='' width=10 height=10>")
        try folder.write("c.html", " \n")
        try folder.write("d.html", "<!doctype html><body style='margin:0'>")
        try folder.write("f.html", row("lime", height: 30))
        return ["a.html", "b.html", "c.html", "d.html", "missing.html", "f.html", "--out", "out"]
    }

    @Test func jsonLines() throws {
        try withFolder { folder in
            let inputs = try writeInputs(folder)
            let outcome = try Child([Offstage.path, "render", "--json"] + inputs, folder: folder.path).wait()
            #expect(outcome.code == 1)
            let objects = try outcome.objects
            #expect(objects.map { $0["identifier"] as? String } == ["a", "b", "c", "d", "missing", "f"])
            #expect(
                objects.map { $0["status"] as? String }
                    == ["drawn", "incomplete", "failed", "failed", "failed", "drawn"])

            let good = objects[0]
            let keys: Set = [
                "identifier", "source", "status", "path", "width", "height", "scale", "bytes", "milliseconds",
                "warnings",
            ]
            #expect(Set(good.keys) == keys)
            #expect(good["source"] as? String == "a.html")
            #expect(good["path"] as? String == "out/a.png")
            #expect([good["width"] as? Int, good["height"] as? Int] == [400, 40])
            #expect(good["scale"] as? Int == 1)
            #expect(good["bytes"] as? Int == (try folder.data("out/a.png")).count)
            #expect(try #require(good["milliseconds"] as? Double) > 0)
            #expect((good["warnings"] as? [Any])?.isEmpty == true)

            let warning = try #require((objects[1]["warnings"] as? [[String: String]])?.first)
            #expect(
                warning == [
                    "code": "resource-missing", "subject": "gone.png",
                    "message": "not found in the base folder: gone.png",
                ])

            let failed = objects[2]
            #expect(Set(failed.keys) == ["identifier", "source", "status", "warnings", "error"])
            #expect(failed["error"] as? String == "c.html: the document is empty; there is nothing to draw")
            // A bad snippet fails alone; the good ones are drawn.
            #expect(folder.files("out") == ["a.png", "b.png", "f.png"])
        }
    }

    @Test func jsonHoldsDevicePixels() throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            let outcome = try Offstage.run(
                "render", "a.html", "--json", "--scale", "2", "-o", "x/y.png", in: folder)
            let object = try #require(try outcome.objects.first)
            #expect([object["width"] as? Int, object["height"] as? Int, object["scale"] as? Int] == [800, 80, 2])
            #expect(object["path"] as? String == "x/y.png")
        }
    }

    @Test func plainLinesOnAPipe() throws {
        try withFolder { folder in
            let inputs = try writeInputs(folder)
            let outcome = try Child([Offstage.path, "render"] + inputs, folder: folder.path).wait()
            #expect(outcome.code == 1)
            #expect(outcome.text == "")
            let lines = outcome.errorLines
            #expect(lines.count == 8, "\(outcome.error)")
            #expect(lines[0].wholeMatch(of: #/\[1/6\] a  400 × 40  \d+\.\d ms/#) != nil)
            #expect(lines[1].wholeMatch(of: #/\[2/6\] b  400 × \d+  \d+\.\d ms/#) != nil)
            #expect(lines[2] == "offstage: b.html: not found in the base folder: gone.png")
            #expect(lines[3] == "offstage: c.html: the document is empty; there is nothing to draw")
            #expect(
                lines[4]
                    == "offstage: d.html: the content has no height; give it one, set a fixed height, "
                    + "or set a viewport height if it is sized in vh")
            #expect(
                lines[5]
                    == "offstage: cannot read missing.html: No such file or directory; "
                    + "name a file that Offstage renders, a folder of them, or -")
            #expect(lines[6].hasPrefix("[6/6] f  400 × 30  "))
            #expect(
                lines[7].wholeMatch(of: #/3 pictures in \d+\.\d\d s, in out, 1 incomplete, 3 failed/#) != nil)
        }
    }

    @Test func quietTellsErrorsOnly() throws {
        try withFolder { folder in
            let inputs = try writeInputs(folder)
            let outcome = try Child([Offstage.path, "render", "-q"] + inputs, folder: folder.path).wait()
            #expect(outcome.code == 1)
            #expect(outcome.text == "")
            #expect(outcome.errorLines.count == 3)
            #expect(outcome.errorLines.allSatisfy { $0.hasPrefix("offstage: ") })
            let good = try Offstage.run("render", "--quiet", "a.html", "--out", "out", in: folder)
            #expect(good.code == 0)
            #expect(good.error == "")
        }
    }

    @Test func aBarOnATerminal() throws {
        try withFolder { folder in
            for index in 1...4 { try folder.write("in/\(index).html", row()) }
            // Terminals need complete words in UTF-8, whatever the language setting is.
            let outcome = try Child(
                ["script", "-qec", "'\(Offstage.path)' render in --out out", "/dev/null"],
                environment: ["LC_ALL": "C"], folder: folder.path
            ).wait()
            #expect(outcome.code == 0)
            let states = outcome.text.split(separator: "\r\u{1B}[K").map(String.init)
            #expect(states.count == 6, "\(states)")
            #expect(states[0] == String(repeating: "░", count: 24) + " 0/4")
            #expect(
                states[2].wholeMatch(of: #/█{12}░{12} 2/4  \d+/s  0:0\d left/#) != nil,
                "rate and time left: \(states[2])")
            #expect(states[4].wholeMatch(of: #/█{24} 4/4  \d+/s  0:00 left/#) != nil)
            // The bar leaves a single line.
            #expect(states[5].wholeMatch(of: #/4 pictures in \d\.\d\d s, in out\r\n/#) != nil)
        }
    }
}
