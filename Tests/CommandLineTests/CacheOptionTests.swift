import Foundation
import Testing

/// When cached pictures are used, and when they are not.
@Suite struct CacheOptionTests {
    /// Runs with a cache in the folder. Returns which pictures were cached, and the pictures.
    @discardableResult
    private func render(_ folder: Folder, _ options: String..., code: Int32 = 0) throws -> [Bool] {
        let run = try Child(
            [Offstage.path, "render", "in", "--out", "out", "--cache", "cache", "--json"] + options, folder: folder.path
        ).wait()
        #expect(run.code == code, "\(run.error)")
        return try run.objects.map { $0["kept"] as? Bool ?? false }
    }

    private func withInputs(_ body: (Folder) throws -> Void) throws {
        try withFolder { folder in
            try folder.write("in/a.html", row("red"))
            try folder.write("in/b.html", "<!doctype html><body style='margin:0'><img src=b.svg style='display:block'>")
            try folder.write("in/b.svg", svg("blue"))
            try body(folder)
        }
    }

    private func svg(_ color: String) -> String {
        "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='20'><rect width='40' height='20' fill='\(color)'/></svg>"
    }

    @Test func onlyWhatChangedIsDrawn() throws {
        try withInputs { folder in
            #expect(try render(folder) == [false, false])
            let first = try folder.data("out/b.png")
            #expect(try render(folder) == [true, true])
            #expect(try folder.data("out/b.png") == first)
            try folder.write("in/a.html", row("lime"))
            #expect(try render(folder) == [false, true])
            #expect(try folder.picture("out/a.png")[5, 5] == [0, 255, 0, 255])
        }
    }

    /// An unchanged picture keeps its file's modification time, so that files which depend on it need not be made
    /// again.
    @Test func aFileWithTheSameBytesIsNotWritten() throws {
        try withInputs { folder in
            try render(folder)
            func file() throws -> [UInt64] {
                var info = stat()
                #expect(stat(folder.path("out/a.png"), &info) == 0)
                return [UInt64(info.st_ino), UInt64(info.st_mtim.tv_sec), UInt64(info.st_mtim.tv_nsec)]
            }
            let before = try file()
            #expect(try render(folder) == [true, true])
            #expect(try file() == before)
            #expect(try render(folder, "--refresh") == [false, false])
            #expect(try file() == before)
            #expect(try Offstage.run("render", "in", "--out", "out", "--no-cache", in: folder).code == 0)
            #expect(try file() == before)
            try folder.write("in/a.html", row("red") + "<!-- a comment -->")
            #expect(try render(folder) == [false, true])
            #expect(try file() == before)
            // Changed pictures get a new modification time.
            try folder.write("in/a.html", row("lime"))
            try render(folder)
            #expect(try file() != before)
        }
    }

    @Test func aFileThatAPictureIsMadeOfCounts() throws {
        try withInputs { folder in
            try render(folder)
            try folder.write("in/b.svg", svg("lime"))
            #expect(try render(folder) == [true, false])
            #expect(try folder.picture("out/b.png")[5, 5] == [0, 255, 0, 255])
            try FileManager.default.removeItem(atPath: folder.path("in/b.svg"))
            #expect(try render(folder) == [true, false])
            #expect(try render(folder) == [true, true])
            // A missing file is written again.
            try folder.write("in/b.svg", svg("red"))
            #expect(try render(folder) == [true, false])
            #expect(try folder.picture("out/b.png")[5, 5] == [255, 0, 0, 255])
        }
    }

    @Test(arguments: [
        ["--scale=2"], ["--width=300"], ["--color-scheme=dark"], ["--language=de"], ["--padding=1"], ["--javascript"],
        ["--format=png:level=9"], ["--css=a.css"], ["--background=red"],
    ])
    func anotherOptionIsAnotherPicture(options: [String]) throws {
        try withInputs { folder in
            try folder.write("a.css", "p{color:red}")
            try render(folder)
            let run = try Child(
                [Offstage.path, "render", "in", "--out", "out", "--cache", "cache", "--json"] + options,
                folder: folder.path
            ).wait()
            #expect(try run.objects.map { $0["kept"] as? Bool } == [nil, nil])
        }
    }

    @Test func whatIsGoneFromTheOutputComesBack() throws {
        try withInputs { folder in
            try render(folder)
            let (a, b) = (try folder.data("out/a.png"), try folder.data("out/b.png"))
            try FileManager.default.removeItem(atPath: folder.path("out/a.png"))
            try folder.write("out/b.png", "no picture")
            #expect(try render(folder) == [true, true])
            #expect(try folder.data("out/a.png") == a)
            #expect(try folder.data("out/b.png") == b)
        }
    }

    @Test func everyFileOfADrawingIsKept() throws {
        try withInputs { folder in
            let options = ["--also", "webp", "--also", "thumb:20x20"]
            func run() throws -> [[String: Any]] {
                try Child(
                    [Offstage.path, "render", "in", "--out", "out", "--cache", "cache", "--json"] + options,
                    folder: folder.path
                ).wait().objects
            }
            let first = try run()
            let data = try folder.data("out/a.thumb-20x20.png")
            try FileManager.default.removeItem(atPath: folder.path("out/a.thumb-20x20.png"))
            let second = try run()
            #expect(second.allSatisfy { $0["kept"] as? Bool == true })
            #expect(try folder.data("out/a.thumb-20x20.png") == data)
            let sizes = [first, second].map { $0.map { ($0["also"] as? [[String: Any]])?.map { $0["width"] as? Int } } }
            #expect(sizes[0] == sizes[1])
        }
    }

    /// Two concurrent runs: each waits for pictures that the other draws and takes them from the cache, wherever the
    /// pictures are written.
    @Test func twoRunsAtOnceDrawNothingTwice() throws {
        try withFolder { folder in
            for number in 0..<12 { try folder.write("in/\(number).html", row("rgb(\(number * 20),0,0)")) }
            let runs = try ["one", "other"].map { out in
                try Child(
                    [Offstage.path, "render", "in", "--out", out, "--cache", "cache", "--json"], folder: folder.path)
            }
            // The test must read both runs' output at the same time, because a program whose output nobody reads
            // would not end.
            #expect(eventually { runs.map(\.hasEnded) == [true, true] })
            let results = try runs.flatMap { try $0.wait().objects }
            #expect(results.count == 24)
            #expect(results.filter { $0["kept"] as? Bool != true }.count == 12)
            for number in 0..<12 {
                let picture = try folder.data("one/\(number).png")
                #expect(try folder.data("other/\(number).png") == picture)
                #expect(try folder.picture("one/\(number).png")[5, 5] == [UInt8(number * 20), 0, 0, 255])
            }
        }
    }

    /// If only one file of a drawing is up to date, both must be made from the current content.
    @Test func filesFromTwoDrawingsAreNotMixed() throws {
        try withInputs { folder in
            #expect(try render(folder, "--also=thumb:20x20") == [false, false])
            try folder.write("in/b.svg", svg("red"))
            #expect(try render(folder) == [true, false])
            #expect(try render(folder, "--also=thumb:20x20") == [true, false])
            #expect(try folder.picture("out/b.thumb-20x20.png")[0, 0] == [255, 0, 0, 255])
        }
    }

    @Test func partsAreKept() throws {
        try withFolder { folder in
            try folder.write("in/a.html", "<!doctype html><p style='color:red'>one</p><p>two</p>")
            #expect(try render(folder, "--selector=p", "--each") == [false, false])
            #expect(try render(folder, "--selector=p", "--each") == [true, true])
            try folder.write("in/a.html", "<!doctype html><p style='color:red'>one</p>")
            #expect(try render(folder, "--selector=p", "--each") == [false])
            #expect(try render(folder, "--selector=p", "--each") == [true])
        }
    }

    @Test func refreshAndNoCache() throws {
        try withInputs { folder in
            #expect(try render(folder, "--refresh") == [false, false])
            #expect(try render(folder, "--refresh") == [false, false])
            #expect(try render(folder) == [true, true])
            let run = try Offstage.run("render", "in", "--out", "two", "--no-cache", "--json", in: folder)
            #expect(try run.objects.map { $0["kept"] as? Bool } == [nil, nil])
        }
    }

    @Test func theSamePictureInAnotherPlaceIsNotDrawnAgain() throws {
        try withInputs { folder in
            try render(folder)
            let run = try Offstage.run("render", "in", "--out", "two", "--cache", "cache", "--json", in: folder)
            #expect(try run.objects.map { $0["kept"] as? Bool } == [true, true])
            #expect(try folder.data("two/a.png") == folder.data("out/a.png"))
        }
    }

    @Test func aRunWithoutChangesStartsNothing() throws {
        try withInputs { folder in
            try render(folder)
            // This PATH contains no Xvfb, so a drawing would end with exit code 3.
            let run = try Offstage.run(
                "render", "in", "--out", "out", "--cache", "cache", environment: ["PATH": "/nonexistent"], in: folder)
            #expect(run.code == 0, "\(run.error)")
            #expect(run.error.contains("2 from the cache"))
        }
    }

    /// The time limit was reached, so the result is not cached: the next run may have more time.
    @Test func aPictureThatIsLateIsNotKept() throws {
        try withFolder { folder in
            try folder.write("in/a.html", row() + "<script>offstage.wait()</script>")
            #expect(try render(folder, "--javascript", "--timeout=0.3") == [false])
            #expect(try render(folder, "--javascript", "--timeout=0.3") == [false])
        }
    }

    @Test func whatAKeptPictureLacksIsToldAgain() throws {
        try withFolder { folder in
            try folder.write("in/a.html", row() + "<img src=none.png>")
            for kept in [false, true] {
                let run = try Offstage.run("render", "in", "--out", "out", "--cache", "cache", "--json", in: folder)
                let object = try #require(try run.objects.first)
                #expect(object["kept"] as? Bool ?? false == kept)
                #expect(object["status"] as? String == "incomplete")
                #expect((object["warnings"] as? [[String: Any]])?.first?["code"] as? String == "resource-missing")
            }
            try render(folder, "--strict", code: 1)
        }
    }

    @Test func aDamagedPictureIsDrawnAgain() throws {
        try withInputs { folder in
            try render(folder)
            let right = try folder.data("out/a.png")
            // Damages the first bytes of every PNG file in the database and its log.
            for name in ["cache/pictures.sqlite", "cache/pictures.sqlite-wal"] {
                guard var data = try? folder.data(name) else { continue }
                while let place = data.range(of: Data([0x89, 0x50, 0x4E, 0x47])) { data[place.lowerBound] = 0x88 }
                try folder.write(name, data)
            }
            try FileManager.default.removeItem(atPath: folder.path("out/a.png"))
            #expect(try render(folder).first == false)
            #expect(try folder.data("out/a.png") == right)
        }
    }

    @Test func aCacheThatCannotBeUsedIsGoneWithout() throws {
        try withInputs { folder in
            try folder.write("cache", "a file")
            let run = try Offstage.run("render", "in", "--out", "out", "--cache", "cache", in: folder)
            #expect(run.code == 0)
            #expect(run.errorLines.count { $0.hasPrefix("offstage: the cache") } == 1, "\(run.error)")
            #expect(folder.files("out") == ["a.png", "b.png"])
        }
    }

    @Test(arguments: [
        (["--cache="], "--cache needs the name of a folder"),
        (["--no-cache", "--refresh"], "--refresh caches the new pictures, and --no-cache caches none; use one"),
        (["--no-cache", "--cache=c"], "--cache and --no-cache cannot be combined; use one"),
    ])
    func wrongUse(options: [String], message: String) throws {
        try withInputs { folder in
            let run = try Child([Offstage.path, "render", "in", "--out", "out"] + options, folder: folder.path).wait()
            #expect(run.code == 2)
            #expect(run.errorLines == ["offstage: \(message)"])
        }
    }

    @Test func theCacheCommand() throws {
        try withInputs { folder in
            try render(folder)
            func cache(_ action: String, _ options: String...) throws -> Outcome {
                try Child([Offstage.path, "cache", action, "--cache", "cache"] + options, folder: folder.path).wait()
            }
            #expect(try cache("path").text == folder.path("cache") + "\n")
            #expect(try cache("stats", "--json").objects.first?["pictures"] as? Int == 2)
            let listed = try cache("list", "--json").objects
            #expect(listed.map { $0["identifier"] as? String } == [folder.path("out/a.png"), folder.path("out/b.png")])
            #expect(listed.last?["files"] as? [String] == ["b.svg"])
            #expect(try cache("list").text.split(separator: "\n").count == 2)
            #expect(try cache("trim").text == "0 pictures removed\n")
            #expect(try cache("verify").text == "2 pictures checked, 0 damaged\n")
            #expect(listed.map { $0["source"] as? String } == [folder.path("in/a.html"), folder.path("in/b.html")])
            #expect(try cache("clear").text == "2 pictures removed\n")
            #expect(try cache("stats", "--json").objects.first?["pictures"] as? Int == 0)
            let wrong = try cache("frob")
            #expect(wrong.code == 2)
            #expect(
                wrong.errorLines == [
                    "offstage: name an action for the cache: path, stats, list, trim, clear, verify, "
                        + "export, import or explain"
                ])
        }
    }

    /// Other accounts cannot read anything that Offstage creates.
    @Test func aNewFolderIsTheUsersAlone() throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            #expect(try Offstage.run("render", "a.html", "-o", "a.png", "--cache", "cache", in: folder).code == 0)
            var info = stat()
            #expect(stat(folder.path("cache"), &info) == 0)
            #expect(info.st_mode & 0o777 == 0o700)
        }
    }

    /// Reading a cache's state does not create it, and an unusable cache is not reported as empty and intact.
    @Test(arguments: ["stats", "list", "trim", "verify", "clear", "explain"])
    func aCacheThatIsNone(action: String) throws {
        try withFolder { folder in
            let word = action == "explain" ? ["x"] : []
            func cache(_ place: String) throws -> Outcome {
                try Child([Offstage.path, "cache", action] + word + ["--cache", place], folder: folder.path).wait()
            }
            let none = try cache("none")
            #expect(none.code == (action == "explain" ? 1 : 0))
            #expect(none.error == "")
            #expect(access(folder.path("none"), F_OK) != 0)
            try folder.write("file", "no cache")
            let broken = try cache("file")
            #expect(broken.code == 1)
            #expect(broken.text == "")
            #expect(
                broken.errorLines.first?.hasPrefix("offstage: the cache \(folder.path("file")) is not used") == true)
        }
    }
}
