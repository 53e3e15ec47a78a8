import Foundation
import Testing

/// `--also`: several files from one drawing.
@Suite struct AlsoOptionTests {
    private static let specs = ["jpeg:quality=80", "thumb:120x120", "webp", "thumb:50x5:jpeg:quality=70", "raw:rgba"]
    private static let options = specs.flatMap { ["--also", $0] }

    @Test func furtherFilesBesideEachPicture() throws {
        try withFolder { folder in
            try folder.write("in/a.html", row())
            try folder.write("in/b/c.html", row("lime", height: 80))
            let outcome = try Child(
                [Offstage.path, "render", "in", "--out", "out", "--json"] + Self.options, folder: folder.path
            ).wait()
            #expect(outcome.code == 0, "\(outcome.error)")
            let endings = ["jpg", "png", "raw", "thumb-120x120.png", "thumb-50x5.jpg", "webp"]
            #expect(folder.files("out") == endings.map { "a.\($0)" } + endings.map { "b/c.\($0)" })
            #expect(try inspect("out/b/c.thumb-120x120.png", in: folder, "%m %w %h") == "PNG 120 24")
            #expect(try inspect("out/b/c.thumb-50x5.jpg", in: folder, "%m %w %h %Q") == "JPEG 25 5 70")
            #expect(try inspect("out/a.webp", in: folder, "%m %w %h") == "WEBP 400 40")
            #expect(try color("out/b/c.thumb-120x120.png", x: 60, y: 12, in: folder) == [0, 255, 0, 255])
            try expectList(of: outcome, in: folder)
        }
    }

    /// The list in `--json` is in the order of the command line and holds what is there.
    private func expectList(of outcome: Outcome, in folder: Folder) throws {
        let object = try #require(try outcome.objects.last)
        #expect(object["path"] as? String == "out/b/c.png")
        let also = try #require(object["also"] as? [[String: Any]])
        let sizes = [[400, 80], [120, 24], [400, 80], [25, 5], [400, 80]]
        let endings = ["jpg", "thumb-120x120.png", "webp", "thumb-50x5.jpg", "raw"]
        #expect(also.map { $0["path"] as? String } == endings.map { "out/b/c.\($0)" })
        #expect(also.map { file in ["width", "height"].compactMap { file[$0] as? Int } } == sizes)
        for (file, ending) in zip(also, endings) {
            #expect(file["bytes"] as? Int == (try folder.data("out/b/c.\(ending)")).count)
            #expect(Set(file.keys) == ["path", "width", "height", "bytes"])
        }
    }

    /// Each of them is the file that it would be alone.
    @Test func theSameBytesAsAlone() throws {
        try withFolder { folder in
            try folder.write("a.html", "<h1>Some text</h1>")
            let together = try Offstage.run(
                "render", "a.html", "-o", "x/a.webp", "--also", "jpeg:quality=80", "--also", "png", in: folder)
            #expect(together.code == 0, "\(together.error)")
            for (name, spec) in [("a.webp", "webp"), ("a.jpg", "jpeg:quality=80"), ("a.png", "png")] {
                #expect(try Offstage.run("render", "a.html", "-o", "y", "--format", spec, in: folder).code == 0)
                #expect(try folder.data("x/" + name) == folder.data("y"), "\(name)")
            }
        }
    }

    @Test func aThumbnailIsNeverLargerThanThePicture() throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            #expect(try Offstage.run("render", "a.html", "-o", "a", "--also", "thumb:900x900", in: folder).code == 0)
            #expect(folder.files() == ["a", "a.html", "a.thumb-900x900.png"])
            #expect(try folder.data("a") == folder.data("a.thumb-900x900.png"))
        }
    }

    /// Said before anything is drawn.
    @Test func namesThatClash() throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            try folder.write("in/a.html", row())
            try folder.write("in/a.thumb-9x9.html", row())
            try folder.write("b.jpg", row())
            try folder.make("c.jpg")
            let before = folder.files()
            func two(_ path: String) -> String { "two files of a.html would both be \(path); leave one --also out" }
            let cases: [([String], String)] = [
                (["a.html", "--out", "out", "--also", "png"], two("out/a.png")),
                (["a.html", "-o", "x.jpg", "--also", "jpeg:quality=5"], two("x.jpg")),
                (["a.html", "-o", "x.png", "--also", "raw", "--also", "raw:rgba"], two("x.raw")),
                (["a.html", "-o", "x", "--also", "thumb:9x9", "--also", "thumb:9x9"], two("x.thumb-9x9.png")),
                (
                    ["in", "--out", "out", "--also", "thumb:9x9"],
                    "in/a.html and in/a.thumb-9x9.html would both become out/a.thumb-9x9.png; "
                        + "rename one or draw them into two folders"
                ),
                (
                    ["b.jpg", "-o", "b.png", "--also", "jpeg"],
                    "b.jpg would be replaced by its own picture; choose another place for it"
                ),
                (
                    ["a.html", "-o", "c.png", "--also", "jpeg"],
                    "c.jpg, for --also, is there and no plain file; choose another place with -o"
                ),
                (
                    ["a.html", "-o", "-", "--also", "jpeg"],
                    "--also has no place beside -o -; use -o FILE or --out FOLDER"
                ),
            ]
            for (arguments, message) in cases {
                let outcome = try Child([Offstage.path, "render"] + arguments, folder: folder.path).wait()
                #expect(outcome.code == 2, "\(arguments)")
                #expect(outcome.error == "offstage: \(message)\n")
                #expect(folder.files() == before)
            }
        }
    }
}
