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

    /// Checks that the list in `--json` is in the command line's order and describes the files.
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
            #expect(Set(file.keys) == ["path", "width", "height", "scale", "bytes"])
        }
    }

    /// Each file equals the one that a separate run would make.
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

    /// A photo has no text and no lines. A format that needs them fails alone; the picture's own file and the others
    /// are written.
    @Test func aFormatThatTheSourceCannotHave() throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            #expect(try Offstage.run("render", "a.html", "-o", "photo.png", in: folder).code == 0)
            for options in [[], ["--no-cache"]] {
                let outcome = try Offstage.run(
                    "render",
                    arguments: ["photo.png", "a.html", "--out", "out", "--also", "pdf", "--also", "webp"] + options,
                    in: folder)
                #expect(outcome.code == 1)
                #expect(folder.files("out") == ["a.pdf", "a.png", "a.webp", "photo.png", "photo.webp"])
                #expect(outcome.error.contains("photo.png: pdf cannot store the pictures of this kind of source"))
                #expect(outcome.error.contains("2 pictures in") && outcome.error.contains("1 file of --also failed"))
                try FileManager.default.removeItem(atPath: folder.path("out"))
            }
        }
    }

    /// Each file, including thumbnails, equals the one that a separate run would make.
    @Test func furtherScales() throws {
        try withFolder { folder in
            try folder.write("a.html", "<h1>Some text</h1>")
            let also = ["2x", "1.5x:jpeg:quality=80", "2x:thumb:120x120", "2x:webp"].flatMap { ["--also", $0] }
            let command = ["render", "a.html", "-o", "x/a.png", "--json", "--cache", "cache"] + also
            let outcome = try Child([Offstage.path] + command, folder: folder.path).wait()
            #expect(outcome.code == 0, "\(outcome.error)")
            let names = ["a@2x.png", "a@1.5x.jpg", "a@2x.thumb-120x120.png", "a@2x.webp"]
            #expect(folder.files("x") == (names + ["a.png"]).sorted())
            let list = try #require(try outcome.objects.last?["also"] as? [[String: Any]])
            #expect(list.map { $0["path"] as? String } == names.map { "x/\($0)" })
            #expect(list.map { $0["scale"] as? Double } == [2, 1.5, 2, 2])
            let alone = [("2", "png"), ("1.5", "jpeg:quality=80"), ("2", "webp")]
            for (name, (scale, spec)) in zip([names[0], names[1], names[3]], alone) {
                let options = ["--scale", scale, "--format", spec, "-o", "y", "--no-cache"]
                #expect(try Child([Offstage.path, "render", "a.html"] + options, folder: folder.path).wait().code == 0)
                #expect(try folder.data("x/" + name) == folder.data("y"), "\(name)")
            }
            let again = try Child([Offstage.path] + command, folder: folder.path).wait()
            #expect(try again.objects.last?["kept"] as? Bool == true)
        }
    }

    @Test func furtherScalesOfParts() throws {
        try withFolder { folder in
            try folder.write("a.html", "<p>one<p>two<p>three")
            let outcome = try Offstage.run(
                "render", "a.html", "--out", "x", "--selector", "p", "--each", "--also", "2x", "--name",
                "{id}{part}@{scale}x{variant}.{ext}", in: folder)
            #expect(outcome.code == 0, "\(outcome.error)")
            #expect(folder.files("x") == (1...3).flatMap { ["a-\($0)@1x.png", "a-\($0)@2x.png"] })
            #expect(try inspect("x/a-2@2x.png", in: folder, "%w") == "768")
        }
    }

    /// If a document has a different number of parts at another scale, only its own result fails, and its files
    /// are not mixed.
    @Test func otherPartsAtAFurtherScale() throws {
        try withFolder { folder in
            try folder.write(
                "a.html", "<style>@media (min-resolution: 2dppx) { #b { display: none } }</style><p>a<p id=b>b")
            try folder.write("b.html", "<p>fine")
            let outcome = try Offstage.run(
                "render", "a.html", "b.html", "--out", "x", "--selector", "p", "--each", "--also", "2x", in: folder)
            #expect(outcome.code == 1)
            #expect(
                outcome.error.contains(
                    "a.html: 2 parts match at scale 1, and 1 at scale 2; render each scale separately"),
                "\(outcome.error)")
            #expect(folder.files("x") == ["b-1.png", "b-1@2x.png"])
        }
    }

    /// The error is reported before anything is drawn.
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
                        + "rename one or render them into two folders"
                ),
                (
                    ["b.jpg", "-o", "b.png", "--also", "jpeg"],
                    "b.jpg would be replaced by its own picture; choose another path for it"
                ),
                (
                    ["a.html", "-o", "c.png", "--also", "jpeg"],
                    "c.jpg, for --also, exists and is not a regular file; choose another path with -o"
                ),
                (
                    ["a.html", "-o", "-", "--also", "jpeg"],
                    "--also cannot be combined with -o -; use -o FILE or --out FOLDER"
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

    /// WebP has at most 16,383 px.
    @Test func aFileThatCannotBeStoredFailsAlone() throws {
        try withFolder { folder in
            try folder.write("tall.html", "<body style='margin:0'><div style='height:16400px;background:red'>")
            let arguments = ["tall.html", "--width", "8", "--json", "--no-cache", "-o", "tall.png"]
            let run = try Offstage.run(
                "render", arguments: arguments + ["--also", "webp", "--also", "thumb:9x9"], in: folder)
            #expect(run.code == 1 && run.error.contains("tall.html: 8 × 16400 device px is too large for WebP"))
            #expect(folder.files().sorted() == ["tall.html", "tall.png", "tall.thumb-9x9.png"])
            let result = try #require(try run.objects.first)
            #expect(try run.objects.count == 1 && result["status"] as? String == "incomplete")
            #expect(result["identifier"] as? String == "tall" && result["error"] == nil)
            // The files are in the order of the command line.
            let also = try #require(result["also"] as? [[String: Any]])
            #expect(also.map { $0["path"] as? String } == ["tall.webp", "tall.thumb-9x9.png"])
            #expect((also[0]["error"] as? String)?.contains("is too large for WebP") == true && also[0].count == 2)
            #expect(also[1]["error"] == nil && also[1]["bytes"] != nil)
            // From the cache, too.
            for isKept in [nil, true] as [Bool?] {
                let again = try Offstage.run(
                    "render", "tall.html", "--width", "8", "--json", "--cache", "cache", "-o", "kept.png", "--also",
                    "webp", in: folder)
                #expect(again.code == 1)
                #expect(try again.objects.first?["kept"] as? Bool == isKept)
                try FileManager.default.removeItem(atPath: folder.path("kept.png"))
            }
            // The picture's own file is unchanged.
            try folder.write("other.html", "<body style='margin:0'><div style='height:16400px;background:red'>")
            let own = try Offstage.run(
                "render", "other.html", "--width", "8", "-o", "other.webp", "--also", "png", "--no-cache", in: folder)
            #expect(own.code == 1 && !folder.files().contains { $0.hasPrefix("other.") && $0 != "other.html" })
        }
    }
}
