import Foundation
import Testing

/// Options that make a picture of a part of the document, or fit the picture to its content.
@Suite struct PartOptionTests {
    private static let cards = """
        <!doctype html><meta charset=utf-8><style>body { margin: 10px } div { margin-bottom: 5px; height: 20px }
        .red { width: 60px; background: red } .blue { width: 80px; background: blue }</style>
        <div class=red></div><div class=blue></div>
        """

    @Test func aSelector() throws {
        let picture = try drawn("--selector", ".blue")
        #expect(picture.size == [80, 20])
        #expect(picture[40, 10] == [0, 0, 255, 255])
    }

    @Test func eachElementBecomesAPicture() throws {
        try withFolder { folder in
            try folder.write("cards.html", Self.cards)
            let outcome = try Offstage.run(
                "render", "cards.html", "--out", "out", "--selector", "div", "--each", "--json", in: folder)
            #expect(outcome.code == 0)
            #expect(folder.files("out") == ["cards-1.png", "cards-2.png"])
            #expect(try folder.picture("out/cards-2.png").size == [80, 20])
            #expect(try outcome.objects.map { $0["identifier"] as? String } == ["cards-1", "cards-2"])
        }
    }

    @Test func fittingWidthTrimAndPadding() throws {
        #expect(try drawn("--width", "fit").size == [100, 65])
        #expect(try drawn("--width", "fit", "--max-width", "70").size == [70, 65])
        #expect(try drawn("--trim").size == [80, 45])
        let padded = try drawn("--trim", "--padding", "3", "--background", "lime", "--scale", "2")
        #expect(padded.size == [172, 102])
        #expect(padded[5, 5] == [0, 255, 0, 255])
        #expect(padded[6, 6] == [255, 0, 0, 255])
    }

    @Test func heightBounds() throws {
        #expect(try drawn("--min-height", "200").size == [400, 200])
        #expect(try drawn("--max-height", "30").size == [400, 30])
    }

    @Test func fractionalScale() throws {
        let picture = try drawn("--scale", "1.5")
        #expect(picture.size[0] == 600)
        #expect(picture.scale == 1.5)
    }

    @Test(arguments: [
        (["--each"], "--each requires --selector"),
        (["--outset", "9"], "--outset requires --selector"),
        (["--selector", "p", "--outset", "-1"], "--outset takes a whole number from 0 to 10000, not '-1'"),
        (["--max-width", "9"], "--max-width requires --width fit"),
        (["--width", "fits"], "--width takes a whole number from 1 to 32767, or fit, not 'fits'"),
        (["--padding", "-1"], "--padding takes a whole number from 0 to 10000, not '-1'"),
        (["--scale", "4"], "--scale takes a number from 0.25 to 3, not '4'"),
        (["--min-height", "9", "--max-height", "8"], "--min-height 9 is more than --max-height 8; exchange them"),
        (
            ["--height", "9", "--min-height", "8"],
            "--height cannot be combined with --min-height or --max-height; use one or the other"
        ),
    ])
    func wrongUse(options: [String], message: String) throws {
        try withFolder { folder in
            try folder.write("cards.html", Self.cards)
            let outcome = try Child(
                [Offstage.path, "render", "cards.html", "--out", "out"] + options, folder: folder.path
            ).wait()
            #expect(outcome.code == 2)
            #expect(outcome.error == "offstage: \(message)\n")
        }
    }

    @Test func namesOfParts() throws {
        try withFolder { folder in
            try folder.write("in/a.html", Self.cards)
            try folder.write("in/a-1.html", Self.cards)
            let several = try Offstage.run("render", "in", "--out", "out", "--selector", "div", "--each", in: folder)
            #expect(several.code == 2)
            #expect(several.error == "offstage: in/a-1.html has the name of a part of in/a.html; rename one\n")
            let one = try Offstage.run("render", "in/a.html", "-o", "a.png", "--selector", "div", "--each", in: folder)
            #expect(one.code == 2)
            #expect(one.error == "offstage: --each may give several pictures; use --out FOLDER instead of -o\n")
        }
    }

    @Test func aSelectorThatFindsNothingCostsOneResult() throws {
        try withFolder { folder in
            try folder.write("in/a.html", Self.cards)
            try folder.write("in/b.html", "<p>none here")
            let outcome = try Offstage.run("render", "in", "--out", "out", "--selector", ".red", in: folder)
            #expect(outcome.code == 1)
            #expect(folder.files("out") == ["a.png"])
            #expect(outcome.errorLines.contains("offstage: in/b.html: nothing visible in the document matches .red"))
        }
    }

    private func drawn(_ options: String...) throws -> Picture {
        try withFolder { folder in
            try folder.write("cards.html", Self.cards)
            let outcome = try Child(
                [Offstage.path, "render", "cards.html", "-o", "out.png"] + options, folder: folder.path
            ).wait()
            #expect(outcome.code == 0, "\(outcome.error)")
            return try folder.picture("out.png")
        }
    }
}
