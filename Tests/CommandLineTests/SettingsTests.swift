import Foundation
import Testing

/// Options for every run, from a file and from variables.
@Suite struct SettingsTests {
    /// Runs with a settings file in the user's folder and without the tests' own settings.
    private func run(
        _ words: String..., file: String? = nil, variables: [String: String?] = [:], stdin: Data = Data(),
        in folder: Folder
    ) throws -> Outcome { try run(words, file: file, variables: variables, stdin: stdin, in: folder) }

    private func run(
        _ words: [String], file: String? = nil, variables: [String: String?] = [:], stdin: Data = Data(),
        in folder: Folder
    ) throws -> Outcome {
        if let file { try folder.write("config/offstage/offstage.conf", file) }
        return try Child(
            [Offstage.path] + words, stdin: stdin,
            environment: ["OFFSTAGE_CONFIG": nil, "XDG_CONFIG_HOME": folder.path("config")].merging(variables) { $1 },
            folder: folder.path
        ).wait()
    }

    private func place(_ folder: Folder, _ line: Int) -> String {
        folder.path("config/offstage/offstage.conf") + ":\(line)"
    }

    @Test func optionsWinOverVariablesAndVariablesOverTheFile() throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            func width(_ words: String..., file: String, variables: [String: String?] = [:]) throws -> Int? {
                let all = ["render", "a.html", "--json", "-q"] + words
                let outcome = try run(all, file: file, variables: variables, in: folder)
                #expect(outcome.error == "")
                return try outcome.objects.first?["width"] as? Int
            }
            #expect(try width(file: "") == 400)
            #expect(try width(file: "--width=200") == 200)
            #expect(try width(file: "--width=200", variables: ["OFFSTAGE_WIDTH": "100"]) == 100)
            #expect(try width("--width", "50", file: "--width=200", variables: ["OFFSTAGE_WIDTH": "100"]) == 50)
            // An empty variable disables the file's line. An opposite option on the command line also overrides the
            // file.
            #expect(try width(file: "--width=200", variables: ["OFFSTAGE_WIDTH": ""]) == 400)
            #expect(try width("--cache", "c", file: "--no-cache\n--width=60") == 60)
            #expect(folder.files().contains { $0.hasPrefix("c/") })
        }
    }

    /// Options as on a command line: with comments, switches, lists, quotes and a home folder.
    @Test func linesOfTheFile() throws {
        try withFolder { folder in
            try folder.write("a.html", "<!doctype html><style>body { margin: 0 }</style><div style='background: red'>")
            try folder.write("my style.css", "div { width: 30px }")
            try folder.write("other.css", "div { height: 20px }")
            let outcome = try run(
                "render", "a.html",
                file: """
                    # A comment
                      # and one more

                    --css "~/my style.css"
                    --css=~/other.css
                    -q
                      --scale 2\r
                    --width fit
                    --background=#fff
                    --json
                    """, variables: ["HOME": folder.path], in: folder)
            #expect(outcome.error == "" && outcome.code == 0)
            let picture = try #require(try outcome.objects.first)
            #expect(picture["width"] as? Int == 60 && picture["height"] as? Int == 40 && picture["scale"] as? Int == 2)
        }
    }

    @Test func variablesOfSwitchesAndLists() throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            let own: [String: String?] = [
                "OFFSTAGE_QUIET": "1", "OFFSTAGE_ALSO": "webp\n2x", "OFFSTAGE_TRIM": "no", "OFFSTAGE_MAX_HEIGHT": "30",
            ]
            let outcome = try run("render", "a.html", file: "--trim", variables: own, in: folder)
            #expect(outcome.error == "" && outcome.code == 0)
            #expect(folder.files().filter { !$0.contains("/") } == ["a.html", "a.png", "a.webp", "a@2x.png"])
            #expect(try folder.picture("a.png").size == [400, 30])
            let wrong = try run("render", "a.html", variables: ["OFFSTAGE_TRIM": "perhaps"], in: folder)
            #expect(wrong.code == 2)
            #expect(
                wrong.error
                    == "offstage: OFFSTAGE_TRIM takes 1 to set --trim, or 0, not 'perhaps'; correct it, or unset it\n"
            )
            let value = try run("render", "a.html", variables: ["OFFSTAGE_SCALE": "9"], in: folder)
            #expect(value.error == "offstage: OFFSTAGE_SCALE: --scale takes a number from 0.25 to 3, not '9'\n")
        }
    }

    @Test(arguments: [
        ("--widht=3", "no command has the option --widht; did you mean --width?"),
        ("--xyzzy", "no command has the option --xyzzy; delete the line; `offstage help COMMAND` lists options"),
        ("--quality=80", "no command has the option --quality; use --format jpeg:quality=80 or webp:quality=80"),
        ("-x", "no command has the option -x; delete the line; `offstage help COMMAND` lists options"),
        ("a.html", "'a.html' is not an option; write one per line, such as --width=600"),
        ("--", "'--' is not an option; write one per line, such as --width=600"),
        ("--width", "--width needs a value, PX|fit; see `offstage render --help`"),
        (
            "--javascript=no",
            "--javascript takes no value, and there is '=no'; write --javascript alone to turn it on, or leave it out"
        ),
        ("--help", "--help is for the command line only; delete the line"),
        ("--width=abc", "--width takes a whole number from 1 to 32767, or fit, not 'abc'"),
        ("--width=90 # narrow", "--width takes a whole number from 1 to 32767, or fit, not '90 # narrow'"),
        ("--name={foo}", "--name has no {foo}"),
    ])
    func aWrongLineIsNamed(line: String, message: String) throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            let outcome = try run("render", "a.html", "--out", "out", file: "# Mine\n--scale=2\n\(line)\n", in: folder)
            #expect(outcome.code == 2)
            #expect(outcome.error.hasPrefix("offstage: \(place(folder, 3)): \(message)"), "\(outcome.error)")
            #expect(outcome.errorLines.count == 1 && folder.files("out") == [])
            // Help works regardless.
            #expect(try run("render", "--help", in: folder).code == 0)
            #expect(try run("--version", in: folder).code == 0)
        }
    }

    /// A command ignores settings that it does not have, and a setting without effect on a run's files is not a
    /// mistake.
    @Test func optionsOfOtherCommandsAndSources() throws {
        try withFolder { folder in
            try folder.write("in/a.html", row())
            let file =
                "--columns=3\n--rotate=90\n--gravity=north\n--max-waiting=9\n--allow-private-addresses\n--name={id}.{ext}\n--strict"
            let outcome = try run("render", "in/a.html", "-o", "a.png", "-q", file: file, in: folder)
            #expect(outcome.code == 0 && outcome.error == "")
            #expect(try run("sheet", ".", "-o", "sheet.png", "-q", in: folder).code == 0)
            #expect(try run("cache", "path", in: folder).code == 0)
            // On the command line, it is a mistake.
            let own = try run("render", "in/a.html", "-o", "a.png", "--rotate", "90", in: folder)
            #expect(own.code == 2 && own.error.contains("--rotate has no effect"))
        }
    }

    @Test func anotherFileOrNone() throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            try folder.write("mine", "--width=70")
            func width(_ config: String, _ more: [String: String?] = [:]) throws -> Int? {
                let variables: [String: String?] = ["OFFSTAGE_CONFIG": config].merging(more) { $1 }
                return try run(
                    "render", "a.html", "--json", "-q", file: "--width=200", variables: variables, in: folder
                )
                .objects.first?["width"] as? Int
            }
            #expect(try width("mine") == 70)
            #expect(try width("/dev/null") == 400)
            #expect(try width("/dev/null", ["OFFSTAGE_WIDTH": "80"]) == 80)
            #expect(try width("", ["OFFSTAGE_WIDTH": "80"]) == 400)
            let missing = try run("render", "a.html", variables: ["OFFSTAGE_CONFIG": "none"], in: folder)
            #expect(missing.code == 2)
            #expect(
                missing.error
                    == "offstage: none: No such file or directory; correct the path in OFFSTAGE_CONFIG, or unset the variable\n"
            )
        }
    }

    /// Options can open the network and turn the sandbox off, so other accounts must not be able to write the file.
    @Test func aFileThatOthersCanChangeIsRefused() throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            try folder.write("config/offstage/offstage.conf", "--width=200")
            let file = folder.path("config/offstage/offstage.conf")
            chmod(file, 0o666)
            let outcome = try run("render", "a.html", in: folder)
            #expect(outcome.code == 2)
            #expect(
                outcome.error == "offstage: \(file): every user can change these options; run chmod o-w on the file\n")
            chmod(file, 0o600)
            #expect(try run("render", "a.html", "-q", in: folder).code == 0)
            try folder.write("config/offstage/offstage.conf", Data([0xFF, 0xFE, 0x00]))
            #expect(try run("render", "a.html", in: folder).error.contains("not an options file"))
        }
    }

    /// Variables that other programs set for a service of this name are not settings.
    @Test func otherVariablesAreLeftAlone() throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            let variables: [String: String?] = [
                "OFFSTAGE_PORT": "tcp://10.0.0.1:8808", "OFFSTAGE_SERVICE_HOST": "10.0.0.1",
                "OFFSTAGE_AUDIO_SINK": "fakesink", "OFFSTAGE_WORKERS": "/nowhere",
                "OFFSTAGE_PORT_8808_TCP_ADDR": "10.0.0.1", "OFFSTAGE_HELP": "1", "OFFSTAGE_VERSION": "1.2.3",
            ]
            #expect(try run("render", "a.html", "-q", variables: variables, in: folder).code == 0)
        }
    }

    @Test func doctorListsThem() throws {
        try withFolder { folder in
            let outcome = try run(
                "doctor",
                file: "--width=200\n--css=a\n--css=b\n--javascript\n--shared=postgresql://ada:secret@db.example.org/x",
                variables: [
                    "OFFSTAGE_WIDTH": "100", "OFFSTAGE_JAVASCRIPT": "0", "OFFSTAGE_HIGHT": "9", "OFFSTAGE_SHARED": "",
                ], in: folder)
            #expect(outcome.code == 0, "\(outcome.error)")
            let lines = outcome.text.split(separator: "\n").filter { $0.dropFirst(6).hasPrefix("setting") }
                .map { "\($0.prefix(4))\($0.dropFirst(28))" }
            #expect(
                lines.first?.hasPrefix("ok  8, from \(folder.path("config/offstage/offstage.conf")) and variables")
                    == true)
            #expect(
                lines.dropFirst()
                    == [
                        "ok  --width=200, from \(place(folder, 1)), overridden by OFFSTAGE_WIDTH",
                        "ok  --css=a, from \(place(folder, 2))", "ok  --css=b, from \(place(folder, 3))",
                        "ok  --javascript, from \(place(folder, 4)), overridden by OFFSTAGE_JAVASCRIPT",
                        "ok  --shared=postgresql://ada:…@db.example.org/x, from \(place(folder, 5)), overridden by OFFSTAGE_SHARED",
                        "ok  --javascript off, from OFFSTAGE_JAVASCRIPT", "ok  --shared=, from OFFSTAGE_SHARED",
                        "ok  --width=100, from OFFSTAGE_WIDTH",
                        "noteOFFSTAGE_HIGHT sets no option; did you mean OFFSTAGE_HEIGHT?",
                    ])
            let none = try run("doctor", variables: ["OFFSTAGE_CONFIG": ""], in: folder)
            #expect(none.text.contains("ok    settings              none: OFFSTAGE_CONFIG is empty\n"))
        }
    }

    /// For requests to the pipe and the service, the settings are defaults, which a request's own values override.
    @Test func thePipeAndTheServiceHaveThem() throws {
        try withFolder { folder in
            let requests =
                #"{"id": 1, "identifier": "a", "html": "x"}"# + "\n"
                + #"{"id": 2, "identifier": "b", "html": "x", "width": 90}"#
            let pipe = try run("pipe", "--out", "out", file: "--width=80", stdin: Data(requests.utf8), in: folder)
            #expect(pipe.code == 0, "\(pipe.error)")
            #expect(try folder.picture("out/a.png").width == 80)
            #expect(try folder.picture("out/b.png").width == 90)
            let service = try Service(
                environment: [
                    "OFFSTAGE_CONFIG": folder.path("config/offstage/offstage.conf"), "OFFSTAGE_MAX_BODY": "2000",
                ], in: folder)
            try folder.write("c.png", try service.draw(row()).body)
            #expect(try folder.picture("c.png").width == 80)
            #expect(try service.draw(String(repeating: "x", count: 3000)).status == 413)
            _ = try service.stop()
        }
    }

    /// Compares with the options of the earlier drawing, whatever the current settings are.
    @Test func explainingUsesTheEarlierOptions() throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            let cache = ["XDG_CACHE_HOME": folder.path("cache") as String?]
            #expect(
                try run("render", "a.html", "--width", "90", "-q", file: "--width=80", variables: cache, in: folder)
                    .code == 0)
            let explained = try run("cache", "explain", "a.html", variables: cache, in: folder)
            #expect(explained.code == 0 && explained.text.contains("cached"), "\(explained.text) \(explained.error)")
        }
    }
}
