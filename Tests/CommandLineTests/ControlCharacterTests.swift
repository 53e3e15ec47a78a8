import Foundation
import Testing

/// Names and documents are untrusted: none of their control characters may reach a terminal, a log, a list of results
/// or Make.
@Suite struct ControlCharacterTests {
    /// The sequence for a window's title, a line end, DEL, and a C1 control in UTF-8 (CSI of eight-bit terminals).
    private static let name = "a\u{1B}]0;evil\u{7}\nb\u{7F}\u{9B}2Jc"

    private func expectPlain(_ data: Data, _ what: String) {
        let scalars = String(decoding: data, as: UTF8.self).unicodeScalars
        let bad = scalars.filter { $0.properties.generalCategory == .control && $0 != "\n" }
        #expect(bad.isEmpty, "\(what) has \(bad.map(\.value))")
    }

    @Test func whatIsPrinted() throws {
        try withFolder { folder in
            try folder.write(
                "in/\(Self.name).html", "<!doctype html><p>x<img src=\"\u{1B}[2J.png\"><img src='https://x/\u{9B}a'>")
            for arguments in [
                ["render", "in"], ["render", "in", "--json"], ["render", "in", "--strict"], ["cache", "list"],
                ["cache", "list", "--json"], ["cache", "explain", "out/\(Self.name).png"],
                ["cache", "explain", "out/\(Self.name).png", "--json"], ["render", Self.name], [Self.name],
                ["--\(Self.name)"],
                ["render", "in", "--out", "out", "--\(Self.name)"],
            ] {
                let place = arguments[0] == "render" && arguments.count < 4 ? ["--out", "out"] : []
                let outcome = try Offstage.run(
                    arguments[0], arguments: Array(arguments.dropFirst()) + place, in: folder)
                expectPlain(outcome.output, "standard output of \(arguments)")
                expectPlain(Data(outcome.error.utf8), "standard error of \(arguments)")
                #expect(!outcome.output.isEmpty || !outcome.error.isEmpty)
                if arguments.contains("--json") {
                    // In JSON, programs read the unchanged name.
                    let object = try #require(outcome.objects.first)
                    #expect((object["identifier"] as? String)?.contains(Self.name) == true)
                }
            }
        }
    }

    /// Characters that reverse the direction of the text after them are escaped, in JSON and in messages.
    @Test func directions() throws {
        let turning = "\u{202E}\u{2066}\u{200F}\u{61C}"
        try withFolder { folder in
            try folder.write("in/a\(turning)gnp.html", "<!doctype html><p>x<img src=\"\(turning).png\">")
            let outcome = try Offstage.run(
                "render", "in", "--out", "out", "--json", "--results", "r.jsonl", "--html", "p.html", in: folder)
            #expect(outcome.code == 0)
            for data in [
                outcome.output, try folder.data("r.jsonl"), try folder.data("p.html"),
            ] {
                let text = String(decoding: data, as: UTF8.self)
                #expect(text.contains("gnp"))
                let isTurned = text.unicodeScalars.contains { turning.unicodeScalars.contains($0) }
                #expect(!isTurned)
            }
            // In JSON, programs read the unchanged name.
            #expect(try outcome.objects.first?["identifier"] as? String == "a\(turning)gnp")
        }
    }

    /// Names that Make cannot read are not written: a `;` would begin a command.
    @Test func whatMakeReads() throws {
        try withFolder { folder in
            let names = ["100%", "a:b c", "d[1]", "e*", "f#$"]
            for name in names { try folder.write("in/\(name).html", row()) }
            try folder.write("in/x.html", "<!doctype html><img src='a;touch pwned.svg'><img src='ok.svg'>")
            let image = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>"
            try folder.write("in/a;touch pwned.svg", image)
            try folder.write("in/ok.svg", image)
            try folder.write("in/\(Self.name).html", row())
            // Make treats a backslash specially before some characters only.
            let slashed = ["b\\#c.css", "b\\:c.css", "b\\ c.css", "b\\c.css", "report(1)", "house.css (copy)", "a(b)"]
            for name in slashed { try folder.write("in/\(name)", "p{}") }
            let links = slashed.map {
                let url = $0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                return "<link rel=stylesheet href='\(url)'>"
            }
            try folder.write("in/y.html", "<!doctype html>\(links.joined())<p>y")
            let run = try Offstage.run("render", "in", "--out", "out", "--depfile", "d", in: folder)
            #expect(run.code == 0, "\(run.error)")
            expectPlain(try folder.data("d"), "the depfile")
            #expect(run.error.contains("--depfile leaves out in/a;touch pwned.svg: Make cannot read this name"))
            #expect(String(decoding: try folder.data("d"), as: UTF8.self).contains("out/x.png: in/ok.svg in/x.html\n"))
            for name in slashed {
                #expect(run.error.contains("--depfile leaves out in/\(name): Make cannot read this name"), "\(name)")
            }
            try folder.write("Makefile", "-include d\n%.png:\n\t@echo draw\n")
            let later = Date(timeIntervalSinceNow: -60)
            for name in names + ["x", "y"] {
                func make() throws -> String {
                    let made = try Child(["make", "-rs", "out/\(name).png"], folder: folder.path).wait()
                    #expect(made.code == 0, "\(name): \(made.error)")
                    return made.text
                }
                #expect(try make() == "", "\(name)")
                try FileManager.default.setAttributes(
                    [.modificationDate: later], ofItemAtPath: folder.path("out/\(name).png"))
                #expect(try make() == "draw\n", "\(name)")
            }
            #expect(folder.files().allSatisfy { !$0.hasPrefix("pwned") })
        }
    }
}
