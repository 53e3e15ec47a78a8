import Foundation
import PageSamples
import Testing

/// `offstage browse`: a window with a list, on a display that the test starts.
@Suite struct BrowseTests {
    @Test func theRowsAreInTheWindow() throws {
        try withDisplay { display, folder in
            for index in 1...3 { try folder.write("in/\(index).html", row("rgb(\(index),9,9)", height: 90)) }
            try folder.write("in/a.html", row("#c0ffee", height: 90))
            let child = try browse(["in", "--rows", "2000", "--cache", "cache"], display, folder)
            #expect(
                eventually {
                    child.hasEnded || (try? screen(display, folder).count(of: [0xC0, 0xFF, 0xEE, 0xFF])) ?? 0 > 10_000
                })
            #expect(!child.hasEnded)
            let processes = ProcessTable.descendants(of: child.id)
            #expect(processes.contains { $0.name == "WebKitWebProces" })
            kill(child.id, SIGTERM)
            let outcome = try child.wait()
            #expect(outcome.code == 128 + SIGTERM)
            #expect(outcome.error == "")
            #expect(processes.filter(\.isThere) == [])
        }
    }

    /// Files of two folders, each in a cell of 180 × 135 CSS px. Two of them differ only in their extensions.
    @Test func theCellsAreInTheWindow() throws {
        try withDisplay { display, folder in
            try folder.write("in/a.html", row("#c0ffee", height: 900))
            try folder.write("in/a.htm", row("#facade", height: 900))
            try folder.write("in/sub/b.html", row("#decade", height: 900))
            let child = try browse(["in", "--grid", "--cache", "cache"], display, folder)
            let colors: [[UInt8]] = [[0xC0, 0xFF, 0xEE, 0xFF], [0xFA, 0xCA, 0xDE, 0xFF], [0xDE, 0xCA, 0xDE, 0xFF]]
            #expect(
                eventually {
                    guard !child.hasEnded, let screen = try? screen(display, folder) else { return child.hasEnded }
                    return colors.allSatisfy { (180 * 135 - 300...180 * 135).contains(screen.count(of: $0)) }
                })
            #expect(!child.hasEnded)
            kill(child.id, SIGTERM)
            #expect(try child.wait().error == "")
        }
    }

    @Test func soundsAreInTheWindow() throws {
        try withDisplay { display, folder in
            for name in ["a", "b", "c"] { try folder.write("in/\(name).wav", Sound.wav(seconds: 3)) }
            let child = try browse(["in", "--waveform", "filled", "--cache", "cache"], display, folder)
            // Half of each waveform, which is 120 CSS px high and almost as wide as the window.
            #expect(
                eventually {
                    child.hasEnded || (try? screen(display, folder).count(of: [0xA9, 0xB4, 0xC2, 0xFF])) ?? 0 > 90_000
                })
            #expect(!child.hasEnded)
            kill(child.id, SIGTERM)
            #expect(try child.wait().error == "")
        }
    }

    /// A single sound is played below the list, here with an output that needs no device. The click and the keys are
    /// real input.
    @Test func aSoundIsPlayed() throws {
        try withDisplay { display, folder in
            try folder.write("song.wav", Sound.wav(seconds: 20))
            let child = try Child(
                [Offstage.path, "browse", "song.wav", "--waveform", "filled", "--cache", "cache"],
                environment: ["DISPLAY": display, "GDK_BACKEND": "x11", "OFFSTAGE_AUDIO_SINK": "fakesink"],
                folder: folder.path)
            let (unplayed, played): ([UInt8], [UInt8]) = ([0xA9, 0xB4, 0xC2, 0xFF], [0x1E, 0x6F, 0xD9, 0xFF])
            /// The visible columns of the player, and how many of them have been played.
            func columns() throws -> (all: [Int], played: Int) {
                let screen = try screen(display, folder)
                func has(_ x: Int, _ color: [UInt8]) -> Bool {
                    (700..<screen.height).contains { screen[x, $0] == color }
                }
                let all = (0..<screen.width).filter { has($0, unplayed) || has($0, played) }
                return (all, all.count { has($0, played) })
            }
            func send(_ words: String...) throws {
                let sent = try Child(["xdotool"] + words, environment: ["DISPLAY": display], folder: folder.path).wait()
                #expect(sent.code == 0, "\(sent.error)")
            }
            // The position moves.
            #expect(try eventually { try child.hasEnded || columns().played > 10 })
            #expect(!child.hasEnded)
            try send("key", "space")
            // The player is paused. If it were playing, the position would have moved, because a screenshot takes
            // longer than one step.
            var rest = (all: [Int](), played: 0)
            #expect(
                try eventually {
                    rest = try columns()
                    return try columns().played == rest.played
                })
            #expect(rest.played > 10 && rest.played < rest.all.count * 3 / 4)
            // A click seeks, even while the player is paused.
            let place = try #require(rest.all.last) - (rest.all.count / 8)
            try send("mousemove", "\(place)", "830", "click", "1")
            #expect(
                try eventually { abs(try columns().played - rest.all.count * 7 / 8) <= rest.all.count / 20 })
            try send("key", "space")
            #expect(try eventually { try columns().played == rest.all.count })
            // Escape closes the player.
            try send("key", "Escape")
            #expect(try eventually { try columns().all.isEmpty })
            #expect(!child.hasEnded)
            kill(child.id, SIGTERM)
            #expect(try child.wait().error == "")
        }
    }

    /// The canvas draws the strokes, and the renderer draws the text and the background below them.
    @Test func inkIsInTheWindow() throws {
        try withDisplay { display, folder in
            try folder.write("paper.html", row("#c0ffee", height: 600))
            let paper = ["paper.html", "-o", "paper.png", "--width", "600", "--no-cache", "-q"]
            #expect(try Offstage.run("render", arguments: paper, in: folder).code == 0)
            try folder.write(
                "notes.xopp",
                """
                <xournal><page width="300" height="300"><background type="pixmap" domain="absolute" filename="paper.png"/><layer>
                <text font="Sans Bold" size="200" x="20" y="10" color="#ff0000ff">H</text>
                <stroke tool="pen" color="#0000ffff" width="20">20 250 280 250</stroke></layer></page></xournal>
                """)
            let child = try browse(["notes.xopp", "--cache", "cache"], display, folder)
            let colors: [[UInt8]] = [[0xC0, 0xFF, 0xEE, 0xFF], [255, 0, 0, 255], [0, 0, 255, 255]]
            #expect(
                eventually {
                    guard !child.hasEnded, let screen = try? screen(display, folder) else { return child.hasEnded }
                    return colors.allSatisfy { screen.count(of: $0) > 4_000 }
                })
            #expect(!child.hasEnded)
            kill(child.id, SIGTERM)
            #expect(try child.wait().error == "")
        }
    }

    /// The key saves a document with its annotations as a new file beside it. It never replaces a file.
    @Test func annotationsAreSavedInANewDocument() throws {
        try withDisplay { display, folder in
            let part = #"{"x":0.25,"y":0.25,"width":0.5,"height":0.5}"#
            let red = #"{"red":255,"green":0,"blue":0}"#
            let score = TestPDF("q Q").data
            try folder.write("score.pdf", score)
            try folder.write(
                "score.pdf.annotations.json",
                #"{"version":1,"pages":{"1":[{"kind":"highlight","part":\#(part),"marks":[\#(part)],"color":\#(red)}]}}"#
            )
            let child = try browse(["score.pdf", "--cache", "cache"], display, folder)
            #expect(
                eventually {
                    child.hasEnded || (try? screen(display, folder).count(of: [255, 0, 0, 255])) ?? 0 > 10_000
                })
            #expect(!child.hasEnded)
            for name in ["score annotated.pdf", "score annotated 2.pdf"] {
                let sent = try Child(
                    ["xdotool", "key", "ctrl+s"], environment: ["DISPLAY": display], folder: folder.path
                ).wait()
                #expect(sent.code == 0, "\(sent.error)")
                #expect(eventually { child.hasEnded || FileManager.default.fileExists(atPath: folder.path(name)) })
                let render = ["--no-cache", "--annotations", "none", "-q", "-o", "page.png"]
                #expect(try Offstage.run("render", arguments: [name] + render, in: folder).code == 0)
                #expect(try folder.picture("page.png")[133, 66] == [255, 0, 0, 255], "\(name)")
            }
            #expect(try folder.data("score.pdf") == score)
            kill(child.id, SIGTERM)
            #expect(try child.wait().error == "")
        }
    }

    @Test func withoutADisplay() throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            let outcome = try Child(
                ["env", "-u", "DISPLAY", "-u", "WAYLAND_DISPLAY", Offstage.path, "browse", "a.html", "--no-cache"],
                folder: folder.path
            ).wait()
            #expect(outcome.code == 3)
            #expect(outcome.error == "offstage: no display is available for a window; set DISPLAY\n")
        }
    }

    /// The output of `--bench --json`.
    private struct Figures: Decodable {
        var name: String
        var frameMedian, frameP99, frameMost, completeMedian, completeMost, full, thumbnail, placeholder: Double
        var firstScreen, jumpMedian, jumpMost: Double?
        var frames, over16, over33, pictures, picturesLimit, memory, drawn: Int
    }

    @Test func theBenchTellsFiguresThatCanBe() throws {
        try withFolder { folder in
            for index in 1...5 { try folder.write("in/\(index).html", row("rgb(\(index),9,9)", height: 90)) }
            let outcome = try Child(
                [Offstage.path, "browse", "in", "--bench", "--seconds", "2", "--json", "--rows", "3000"],
                environment: ["DISPLAY": nil], folder: folder.path
            ).wait()
            #expect(outcome.code == 0, "\(outcome.error)")
            let all = try JSONDecoder().decode([Figures].self, from: outcome.output)
            #expect(all.map(\.name) == ["governed", "suspended", "no suspension", "no drawing", "web views"])
            for one in all {
                #expect(0 < one.frameMedian && one.frameMedian <= one.frameP99 && one.frameP99 <= one.frameMost)
                // One second of scrolling with the wheel, at 60 frames per second at most.
                #expect((5...63).contains(one.frames), "\(one)")
                #expect(0 <= one.over33 && one.over33 <= one.over16 && one.over16 <= one.frames, "\(one)")
                #expect((one.frameMost > 33) == (one.over33 > 0), "\(one)")
                #expect(0 <= one.completeMedian && one.completeMedian <= one.completeMost, "\(one)")
                #expect(abs(one.full + one.thumbnail + one.placeholder - 1) < 0.001, "\(one)")
                #expect(one.full > 0, "\(one)")
                #expect(one.picturesLimit == 64 && one.pictures <= 64, "\(one)")
                #expect((20...4_000).contains(one.memory), "\(one)")
            }
            for one in all[..<3] {
                let (median, most) = try (#require(one.jumpMedian), #require(one.jumpMost))
                #expect(0 < median && median <= most && one.firstScreen ?? 0 > 0, "\(one)")
            }
            // Drawings cost the list some frames, but not most of them. The comparison is within the run, so other
            // load on the machine does not matter.
            #expect(all[0].frames * 4 >= all[3].frames, "\(all)")
            // Nothing is drawn after a jump.
            #expect(all[3...].allSatisfy { $0.jumpMedian == nil && $0.jumpMost == nil && $0.firstScreen == nil })
            // The minimum number of visible rows: rows are about 100 GTK px high, and the window is 860 GTK px high.
            #expect(all[..<4].allSatisfy { $0.drawn >= 8 } && all[4].drawn == 0, "\(all)")
        }
    }

    /// The output of `--bench --json` for PDF documents.
    private struct PageFigures: Decodable {
        var documents, turns, frames, over16, wrong, blank, thumbnail: Int
        var firstPage, frameMedian, frameP99, frameMost, thumbnailMost, blankMost: Double
        var completeAfter, turnTimes, openings: [Double]
    }

    @Test func theBenchTurnsThePagesOfDocuments() throws {
        try withFolder { folder in
            for name in ["a", "b"] {
                let pages = (1...3).map { TestPDF.Page(content: "\(Double($0) / 4) g 0 0 100 100 re f") }
                try folder.write("in/\(name).pdf", TestPDF(pages: pages).data)
            }
            let outcome = try Child(
                [Offstage.path, "browse", "in", "--bench", "--seconds", "3", "--json"], environment: ["DISPLAY": nil],
                folder: folder.path
            ).wait()
            #expect(outcome.code == 0, "\(outcome.error)")
            let figures = try JSONDecoder().decode(PageFigures.self, from: outcome.output)
            #expect(figures.documents == 2 && figures.wrong == 0, "\(figures)")
            #expect((5...15).contains(figures.turns) && figures.turnTimes.count == figures.turns, "\(figures)")
            // The number of pages that are complete within the 200 ms of a turn depends on the machine, so one is
            // enough.
            #expect((1...figures.turns).contains(figures.completeAfter.count) && figures.firstPage > 0, "\(figures)")
            #expect(figures.openings.count == 10 && figures.openings.allSatisfy { $0 >= 0 }, "\(figures)")
            #expect(figures.frameMedian <= figures.frameP99 && figures.frameP99 <= figures.frameMost, "\(figures)")
        }
    }

    /// Cached rows and cells are not drawn again, however far the view scrolls.
    @Test(arguments: [[], ["--grid"]])
    func aViewOverAWarmStore(kind: [String]) throws {
        try withFolder { folder in
            for index in 1...5 { try folder.write("in/\(index).html", row("rgb(\(index),9,9)", height: 90)) }
            let arguments = [
                "--script", "people", "--seconds", "4", "--warm", "--ways", "governed", "--rows", "300", "--json",
            ]
            let outcome = try Child(
                [Offstage.path, "browse", "in", "--bench"] + arguments + kind, environment: ["DISPLAY": nil],
                folder: folder.path
            ).wait()
            #expect(outcome.code == 0, "\(outcome.error)")
            let all = try JSONDecoder().decode([Figures].self, from: outcome.output)
            #expect(all.map(\.name) == ["governed"] && all[0].drawn == 0, "\(all)")
            #expect(all[0].full > 0.5, "\(all)")
        }
    }

    @Test(arguments: [
        (["a.html", "--json"], "--json requires --bench"),
        (["a.html", "--seconds", "3"], "--seconds requires --bench"),
        (["a.html", "--warm"], "--warm requires --bench"),
        (
            ["a.html", "--bench", "--grid", "--ways", "none,web-views"],
            "a grid has no web views; leave out --grid, or web-views of --ways"
        ),
        (["a.html", "--bench", "--script", "x"], "--script takes sweep or people, not 'x'"),
        (
            ["a.html", "--bench", "--ways", "none,none"],
            "--ways takes one or more of governed, suspended, unlimited, none and web-views, separated by commas, each only once, not "
                + "'none,none'"
        ),
        (["a.html", "--bench", "--seconds", "0"], "--seconds takes a whole number from 1 to 3600, not '0'"),
        (["-"], "browse does not read standard input; name files or folders"),
        ([], "no input given; name a file, a folder of files, or - for standard input"),
        (["a.html", "--rows", "0"], "--rows takes a whole number from 1 to 10000000, not '0'"),
    ])
    func wrongUse(arguments: [String], message: String) throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            let outcome = try Child([Offstage.path, "browse"] + arguments, folder: folder.path).wait()
            #expect(outcome.code == 2)
            #expect(outcome.error == "offstage: \(message)\n")
        }
    }

    /// Each setting applies once, with its usual precedence, and an input may be a descriptor of the caller.
    @Test func theSettingsAndTheDescriptorsReachTheWindow() throws {
        try withFolder { folder in
            try folder.write("rows.jsonl", #"{"identifier": "a", "html": "<p>Hello"}"#)
            try folder.write("offstage.conf", "--bench\n--ways=governed\n--seconds=9\n--json\n")
            let outcome = try Child(
                ["sh", "-c", #"exec "$0" browse --manifest /dev/fd/3 --seconds 1 3<rows.jsonl"#, Offstage.path],
                environment: [
                    "DISPLAY": nil, "OFFSTAGE_CONFIG": folder.path("offstage.conf"), "OFFSTAGE_WAYS": "none",
                    "OFFSTAGE_ROWS": "300",
                ], folder: folder.path
            ).wait()
            #expect(outcome.code == 0, "\(outcome.error)")
            #expect(try JSONDecoder().decode([Figures].self, from: outcome.output).map(\.name) == ["no drawing"])
            let wrong = try Child(
                [Offstage.path, "browse", "a.html"],
                environment: ["OFFSTAGE_CONFIG": "/dev/null", "OFFSTAGE_ROWS": "0"],
                folder: folder.path
            ).wait()
            #expect(wrong.code == 2)
            #expect(wrong.error == "offstage: OFFSTAGE_ROWS: --rows takes a whole number from 1 to 10000000, not '0'\n")
        }
    }

    /// It gets the words, the environment and standard input as they are; a file's name need not be UTF-8. Wrong use
    /// and help need only `offstage`.
    @Test func theProgramWithTheWindows() throws {
        try withFolder { folder in
            _ = try folder.make("bin")
            try FileManager.default.copyItem(atPath: Offstage.path, toPath: folder.path("bin/offstage"))
            // It prints what it gets.
            let program = """
                #!/bin/sh
                printf '%s|' "$OFFSTAGE_WORKERS" "$@"
                cat
                exit 7
                """
            try folder.write("stub/offstage-browse", program)
            chmod(folder.path("stub/offstage-browse"), 0o755)
            func run(_ words: String, _ variable: String?) throws -> Outcome {
                try Child(
                    ["sh", "-c", #"exec bin/offstage "# + words], stdin: Data("input".utf8),
                    environment: ["OFFSTAGE_WORKERS": variable], folder: folder.path
                ).wait()
            }
            let started = try run(#"browse -- "$(printf 'a\374.html')" 'b c' --rows"#, folder.path("stub"))
            #expect(started.code == 7 && started.error == "", "\(started.error)")
            let words = Data("\(folder.path("stub"))|--|a".utf8) + [0xFC] + Data(".html|b c|--rows|input".utf8)
            #expect(started.output == words)
            #expect(try run("browse --help", folder.path("stub")).text.hasPrefix("Usage: offstage browse"))
            #expect(try run("browse -", folder.path("stub")).code == 2)
            chmod(folder.path("stub/offstage-browse"), 0o644)
            let missing = try run("browse a.html", folder.path("stub"))
            #expect(missing.code == 3)
            #expect(
                missing.error.hasPrefix(
                    "offstage: the program offstage-browse, which shows the window, is in none of these folders: "
                        + folder.path("stub") + ", "), "\(missing.error)")
            #expect(
                missing.error.hasSuffix(
                    "; install it with: make install; or name its folder in the variable OFFSTAGE_WORKERS\n"),
                "\(missing.error)")
        }
    }

    private func browse(_ arguments: [String], _ display: String, _ folder: Folder) throws -> Child {
        try Child(
            [Offstage.path, "browse"] + arguments, environment: ["DISPLAY": display, "GDK_BACKEND": "x11"],
            folder: folder.path)
    }

    private func screen(_ display: String, _ folder: Folder) throws -> Picture {
        // Set the density, because Offstage's own pictures record one.
        let outcome = try Child(
            ["sh", "-c", "import -window root png24:- | convert - -units PixelsPerInch -density 96 png24:screen.png"],
            environment: ["DISPLAY": display], folder: folder.path
        ).wait()
        #expect(outcome.code == 0, "\(outcome.error)")
        return try folder.picture("screen.png")
    }

    private func withDisplay(_ body: (String, Folder) throws -> Void) throws {
        try withFolder { folder in
            let server = try Child(
                ["sh", "-c", "exec Xvfb -displayfd 3 -screen 0 800x900x24 -nolisten tcp -noreset 3>number"],
                folder: folder.path)
            defer {
                kill(server.id, SIGTERM)
                _ = try? server.wait()
            }
            var number = ""
            #expect(
                eventually {
                    number = (try? String(contentsOfFile: folder.path("number"), encoding: .utf8)) ?? ""
                    return number.hasSuffix("\n")
                })
            try body(":" + number.dropLast(), folder)
        }
    }
}
