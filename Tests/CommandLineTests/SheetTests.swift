import Foundation
import Testing

/// The contact sheet. Its pictures have colours that appear nowhere else on it, so that they can be counted.
@Suite struct SheetTests {
    @Test func everyPictureIsOnIt() throws {
        try withFolder { folder in
            let colors: [String: [UInt8]] = [
                "été 100% #1": [255, 0, 0, 255], "it's \"so\"": [0, 255, 0, 255], "a?b=c&d <i>": [0, 0, 255, 255],
                "чат/漢字": [255, 255, 0, 255], "plain": [0, 255, 255, 255],
            ]
            for (name, color) in colors {
                try folder.write("in/\(name).html", row("rgb(\(color[0]),\(color[1]),\(color[2]))", height: 120))
            }
            #expect(try Offstage.run("render", "in", "--out", "out", "-q", in: folder).code == 0)
            // None of these files is a visible picture, but the sheet is made anyway.
            try folder.write("out/broken.png", "no picture")
            try folder.write("out/.hidden.png", folder.data("out/plain.png"))
            try folder.write("out/notes.txt", "no picture")
            mkfifo(folder.path("out/pipe.png"), 0o666)
            try folder.make("out/folder.png")

            let outcome = try Offstage.run("sheet", "out", "-o", "out/sheet.png", in: folder)
            #expect(outcome.code == 0)
            #expect(outcome.text == "")
            #expect(outcome.error == "5 pictures on out/sheet.png\n")
            let first = try folder.data("out/sheet.png")
            let sheet = try Picture(first)
            for (name, color) in colors { #expect(sheet.count(of: color) > 300 * 80, "\(name) is not there whole") }

            // The sheet from an earlier run is not a picture of the next one.
            let again = try Offstage.run("sheet", "out/", "-o", "./out/sheet.png", "-q", in: folder)
            #expect(again.code == 0)
            #expect(again.error == "")
            #expect(try folder.data("out/sheet.png") == first)
        }
    }

    /// Sorted by number: 1, 2, 10. The sheet has two columns, and the last picture has its own colour.
    @Test func numbersAreInTheirOrder() throws {
        try withFolder { folder in
            for (name, color) in [("page-1", "rgb(255,0,0)"), ("page-2", "rgb(0,255,0)"), ("page-10", "rgb(0,0,255)")] {
                try folder.write("in/\(name).html", row(color, height: 120))
            }
            #expect(try Offstage.run("render", "in", "--out", "out", "-q", in: folder).code == 0)
            #expect(try Offstage.run("sheet", "out", "-o", "sheet.png", "--columns", "1", "-q", in: folder).code == 0)
            let sheet = try folder.picture("sheet.png")
            let column = (0..<sheet.height).map { sheet[sheet.width / 2, $0] }
            let tops = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255]].map { (color: [UInt8]) in
                column.firstIndex(of: color) ?? -1
            }
            #expect(tops == tops.sorted() && tops[0] >= 0, "\(tops)")
        }
    }

    /// The output may be another name of a picture in the folder, which must not be replaced.
    @Test func noPictureIsReplacedThroughALink() throws {
        try withFolder { folder in
            try folder.write("out/a.png", MachineTests.png)
            symlink("out/a.png", folder.path("soft.png"))
            link(folder.path("out/a.png"), folder.path("hard.png"))
            for name in ["soft.png", "hard.png"] {
                let outcome = try Offstage.run("sheet", "out", "-o", name, in: folder)
                #expect(outcome.code == 2)
                #expect(
                    outcome.error == "offstage: \(name) is another name of the picture a.png, and was not changed; "
                        + "choose another output\n")
            }
            #expect(try folder.data("out/a.png") == MachineTests.png)
        }
    }

    @Test func namesStandUnderThePictures() throws {
        try withFolder { folder in
            try folder.write("one/a.png", MachineTests.png)
            try folder.write("two/wwwwwwwwwww.png", MachineTests.png)
            for name in ["one", "two"] {
                let outcome = try Offstage.run("sheet", name, "-o", "\(name).png", in: folder)
                #expect(outcome.error == "1 picture on \(name).png\n")
            }
            let (short, long) = (try folder.picture("one.png"), try folder.picture("two.png"))
            #expect(short.size == long.size)
            // A longer name means more ink below the picture.
            #expect(long.ink(below: 22) > 3 * short.ink(below: 22))
            #expect(short.ink(below: 22) > 10)
        }
    }

    @Test func manyPictures() throws {
        try withFolder { folder in
            let picture = try Self.largePicture(in: folder)
            try folder.make("in")
            for index in 1...500 {
                try FileManager.default.linkItem(atPath: picture, toPath: folder.path("in/\(index).png"))
            }
            let outcome = try Offstage.run("sheet", "in", "-o", "s.jpg", in: folder)
            #expect(outcome.code == 0)
            #expect(outcome.error == "500 pictures on s.jpg\n")
            // The run ends when it gets the signal.
            let hasty = try Offstage.run(
                "sheet", "in", "-o", "t.png", "--timeout", "0.001", "--grace", "0.001", in: folder)
            #expect(hasty.code == 1)
            #expect(hasty.error.contains("the process that draws it gave no answer for 0.001 s after the deadline"))
        }
    }

    /// 500 different pictures would exceed the limit of pixels.
    private static func largePicture(in folder: Folder) throws -> String {
        try folder.write("large.html", row(height: 1100))
        let outcome = try Offstage.run("render", "large.html", "-o", "large.png", "--width", "1000", in: folder)
        #expect(outcome.code == 0)
        return folder.path("large.png")
    }

    @Test func columnsAndScale() throws {
        try withFolder { folder in
            for index in 1...6 { try folder.write("in/\(index).png", MachineTests.png) }
            func size(_ options: String...) throws -> [Int] {
                let outcome = try Child(
                    [Offstage.path, "sheet", "in", "-o", "s.png", "-q"] + options, folder: folder.path
                ).wait()
                #expect(outcome.code == 0)
                return try folder.picture("s.png").size
            }
            let (one, three) = (try size("--columns", "1"), try size("--columns=3"))
            #expect(one[0] == 340)
            #expect(three[0] == 980)
            #expect(
                one[1] - 20 == 3 * (three[1] - 20), "six pictures in one column are three times as high as in three")
            #expect(try size("--columns", "3", "--scale", "2") == three.map { $0 * 2 })
        }
    }

    /// The names are drawn with the font in the folder, so they are the same on every machine.
    @Test func theFontsOfAFolder() throws {
        try withFolder { folder in
            try folder.write("in/a long name.png", MachineTests.png)
            for font in ["BebasNeue-Regular.woff2", "FiraCode-Regular.woff2"] {
                try folder.make(font)
                try FileManager.default.copyItem(
                    atPath: FontsOptionTests.carried + "/" + font, toPath: folder.path(font + "/" + font))
                let outcome = try Offstage.run("sheet", "in", "-o", font + ".png", "--fonts", font, "-q", in: folder)
                #expect(outcome.code == 0, "\(outcome.error)")
            }
            let (narrow, wide) = (
                try folder.picture("BebasNeue-Regular.woff2.png"), try folder.picture("FiraCode-Regular.woff2.png")
            )
            #expect(narrow.size == wide.size)
            #expect(narrow.ink(below: 22) != wide.ink(below: 22))
            let wrong = try Offstage.run("sheet", "in", "-o", "s.png", "--fonts", "none", in: folder)
            #expect(wrong.code == 2)
            #expect(wrong.error.hasPrefix("offstage: --fonts none cannot be read"))
        }
    }

    @Test func nothingToShow() throws {
        try withFolder { folder in
            try folder.write("empty/sheet.png", MachineTests.png)
            let cases: [([String], String)] = [
                (
                    ["empty", "-o", "empty/sheet.png"],
                    "empty contains no PNG picture; render some first: offstage render … --out empty"
                ),
                (
                    ["no", "-o", "s.png"],
                    "cannot read the folder no: No such file or directory; name a folder of pictures"
                ),
                (["empty/sheet.png", "-o", "s.png"], "empty/sheet.png is not a folder; name one with pictures in it"),
                (["empty", "-o", "empty"], "-o empty is a folder; name a file, or use --out empty"),
            ]
            for (arguments, message) in cases {
                let outcome = try Child([Offstage.path, "sheet"] + arguments, folder: folder.path).wait()
                #expect(outcome.code == 2)
                #expect(outcome.error == "offstage: \(message)\n")
            }
        }
    }
}
