import Foundation
import Testing

/// Resolving relative URLs, even if the target does not exist.
@Suite struct BaseOptionTests {
    static let html = "<!doctype html><body style='margin:0'><img src='i/dot.svg' style='display:block'>"

    @Test func theFilesOwnFolderOrAnother() throws {
        try withFolder { folder in
            try folder.write("in/a.html", Self.html)
            try folder.write("in/i/dot.svg", svg("red"))
            try folder.write("other/i/dot.svg", svg("lime"))
            _ = try Offstage.run("render", "in/a.html", "-o", "own.png", in: folder)
            #expect(try folder.picture("own.png")[5, 5] == [255, 0, 0, 255])
            _ = try Offstage.run("render", "in/a.html", "-o", "base.png", "--base", "other", in: folder)
            #expect(try folder.picture("base.png")[5, 5] == [0, 255, 0, 255])
            let piped = try Offstage.run(
                "render", "-", "-o", "piped.png", "--base", "other", stdin: Data(Self.html.utf8), in: folder)
            #expect(piped.code == 0)
            #expect(try folder.picture("piped.png")[5, 5] == [0, 255, 0, 255])
        }
    }

    @Test(arguments: ["nowhere", "a.html", ""])
    func noFolder(base: String) throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            let outcome = try Offstage.run("render", "a.html", "-o", "a.png", "--base", base, in: folder)
            #expect(outcome.code == 2)
            #expect(
                outcome.error
                    == "offstage: --base \(base) is not a folder; give the folder that relative URLs refer to\n")
        }
    }

    /// A picture that lacks something exists and counts as drawn, unless `--strict` is given.
    @Test func missingPartsAndStrict() throws {
        try withFolder { folder in
            try folder.write("a.html", Self.html)
            let message = "offstage: a.html: not found in the base folder: i/dot.svg"
            let lenient = try Offstage.run("render", "a.html", "--out", "out", in: folder)
            #expect(lenient.code == 0)
            #expect(lenient.errorLines.dropFirst().first == message)
            #expect(lenient.errorLines.last?.hasSuffix(" s, in out, 1 incomplete") == true)
            #expect(folder.files("out") == ["a.png"])

            let strict = try Offstage.run("render", "a.html", "--out", "strict", "--strict", in: folder)
            #expect(strict.code == 1)
            #expect(strict.errorLines.filter { $0 == message }.count == 1, "told once: \(strict.error)")
            #expect(strict.errorLines.last?.hasSuffix(" s, 1 failed") == true)
            #expect(folder.files("strict") == [])
        }
    }

    private func svg(_ color: String) -> String {
        "<svg xmlns='http://www.w3.org/2000/svg' width='10' height='10'><rect width='10' height='10' fill='\(color)'/></svg>"
    }
}
