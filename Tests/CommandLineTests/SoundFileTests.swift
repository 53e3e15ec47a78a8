import Foundation
import Testing

/// Sounds from all inputs.
@Suite struct SoundFileTests {
    private static let blue: [UInt8] = [0x1E, 0x6F, 0xD9, 0xFF]

    /// Checks that silence is a line in the middle, and that full amplitude extends from top to bottom.
    private func expectSound(_ picture: Picture, width: Int, height: Int) {
        #expect(picture.size == [width, height])
        func painted(_ x: Int) -> [Int] { (0..<height).filter { picture[x, $0][3] > 0 } }
        #expect(painted(width / 4) == [height / 2 - 1, height / 2])
        #expect(painted(width * 3 / 4).count == height)
    }

    @Test func aSoundIsDecodedOnceForAllItsPictures() throws {
        try withFolder { folder in
            try folder.write("sound.wav", Sound.wav)
            let options = ["--waveform", "filled", "--cache", "c", "--json"]
            let first = try Offstage.run("render", arguments: ["sound.wav"] + options, in: folder)
            #expect(first.code == 0, "\(first.error)")
            expectSound(try folder.picture("sound.png"), width: 800, height: 120)
            let facts = try #require(first.objects.first?["facts"] as? [String: Any])
            #expect(facts["duration"] as? Double == 1)
            #expect(facts["rate"] as? Int == 8000)
            for isCached in [false, true] {
                let second = try Offstage.run(
                    "render", arguments: ["sound.wav", "--width", "400", "--played", "1", "-o", "small.png"] + options,
                    in: folder)
                #expect(second.text.contains("\"kept\":true") == isCached)
                #expect(try folder.picture("small.png")[300, 5] == Self.blue)
            }
            let list = try Offstage.run("cache", arguments: ["list", "--cache", "c"], in: folder)
            #expect(list.text.split(separator: "\n").count { $0.contains("  peaks  ") } == 1, "\(list.text)")
        }
    }

    @Test func theProgressOfADecodingIsPrinted() throws {
        try withFolder { folder in
            try folder.write("long.wav", Sound.wav(seconds: 200))
            let options = ["long.wav", "--cache", "c", "--progress", "-q"]
            let first = try Offstage.run("render", arguments: options, in: folder)
            #expect(first.code == 0)
            // This part contains 48 s of sound, and the decoder reads a little ahead.
            #expect(first.error == [20, 40, 70, 90, 100].map { "long.png  \($0) %\n" }.joined())
            let again = try Offstage.run("render", arguments: options + ["--width", "300"], in: folder)
            #expect(again.code == 0 && again.error.isEmpty)
        }
    }

    @Test func aFolderOfSoundsHasPairsAndData() throws {
        try withFolder { folder in
            try folder.write("in/a.wav", Sound.wav)
            try folder.write("in/b.mp3", Sound.wav)
            let pairs = try Offstage.run(
                "render", arguments: ["in", "--pair", "--out", "out", "--no-cache"], in: folder)
            #expect(pairs.code == 0, "\(pairs.error)")
            #expect(
                folder.files("out") == ["a.played.png", "a.unplayed.png", "b.played.png", "b.unplayed.png"])
            let data = try Offstage.run(
                "render",
                arguments: [
                    "in/a.wav", "--format", "json:bits=8", "--samples-per-pixel", "2000", "--out", "out", "--no-cache",
                ],
                in: folder)
            #expect(data.code == 0, "\(data.error)")
            let json = try String(contentsOfFile: folder.path + "/out/a.json", encoding: .utf8)
            #expect(json.hasSuffix(#""length":4,"data":[0,0,0,0,-128,127,-128,127]}"# + "\n"))
            let wrong = try Offstage.run("render", arguments: ["in/a.wav", "--pair", "--played", "1"], in: folder)
            #expect(wrong.code == 2)
            #expect(wrong.error.contains("--played and --pair cannot be combined; use one"))
        }
    }

    /// As many values per second as audiowaveform's option of the same name: 8000 / 30 samples each, rounded down.
    @Test func valuesASecond() throws {
        try withFolder { folder in
            try folder.write("a.wav", Sound.wav)
            func length(_ options: String...) throws -> [Int?] {
                let outcome = try Offstage.run(
                    "render", arguments: ["a.wav", "--format", "json", "-o", "a.json", "-q", "--cache", "c"] + options,
                    in: folder)
                #expect(outcome.code == 0, "\(outcome.error)")
                let data = FileManager.default.contents(atPath: folder.path("a.json")) ?? Data()
                let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
                return [object?["samples_per_pixel"] as? Int, object?["length"] as? Int]
            }
            #expect(try length("--pixels-per-second", "30") == [266, 31])
            #expect(try length("--pixels-per-second", "8000", "--from", "0.5") == [1, 4000])
            // Peaks at another zoom level do not replace the usual ones.
            #expect(try length() == [256, 32])
            let list = try Offstage.run("cache", arguments: ["list", "--cache", "c"], in: folder)
            #expect(list.text.contains("  peaks-266  ") && list.text.contains("  peaks  "), "\(list.text)")
            let both = ["a.wav", "--samples-per-pixel", "256", "--pixels-per-second", "9"]
            let wrong = try Offstage.run("render", arguments: both, in: folder)
            #expect(wrong.code == 2)
            #expect(wrong.error.contains("--samples-per-pixel and --pixels-per-second cannot be combined; use one"))
        }
    }

    /// Files whose name or content indicates a kind that cannot be decoded. Videos in a folder are ignored.
    @Test func soundsThatCannotBeDecoded() throws {
        try withFolder { folder in
            let film = Data("RIFF".utf8) + Data(count: 4) + Data("AVI LIST".utf8) + Data(count: 60)
            let silent = Data([0, 0, 0, 16]) + Data("ftypisom".utf8) + Data(count: 4)
            let undecoded = "the sound of this kind of file cannot be decoded; convert it, for example with `ffmpeg"
            let files = [
                ("film.avi", film, undecoded), ("song.mp3", film, undecoded),
                ("film.mp4", silent, "the file has no samples; there is nothing to draw"),
            ]
            for (name, data, message) in files {
                try folder.write("in/\(name)", data)
                for command in ["render", "info"] {
                    let options = command == "render" ? ["--no-cache", "-o", "a.png"] : []
                    let outcome = try Offstage.run(command, arguments: ["in/\(name)"] + options, in: folder)
                    #expect(outcome.code == 1)
                    #expect(outcome.error.contains(message) && outcome.error.contains("in/\(name)"), "\(outcome.error)")
                }
            }
            try folder.write("in/good.wav", Sound.wav)
            try FileManager.default.removeItem(atPath: folder.path("in/song.mp3"))
            let outcome = try Offstage.run("render", arguments: ["in", "--out", "out", "--no-cache"], in: folder)
            #expect(outcome.code == 0, "\(outcome.error)")
            #expect(folder.files("out") == ["good.png"])
        }
    }

    @Test func thePipeTheServiceAndRows() throws {
        try withFolder { folder in
            try folder.write("sound.wav", Sound.wav)
            let pipe = try PipeProgram("--no-cache", in: folder)
            pipe.send(#"{"id": "s", "file": "sound.wav", "waveform": "filled", "width": 200, "inline": true}"#)
            let result = try pipe.result("s")
            expectSound(try Picture(result.data ?? Data()), width: 200, height: 120)
            #expect(try pipe.end().outcome.code == 0)

            let service = try Service(in: folder)
            let answer = try service.draw(Sound.wav, type: "audio/wav", "width=200&waveform=filled")
            #expect(answer.status == 200)
            #expect(answer.body == result.data)
            let data = try service.draw(
                Sound.wav, type: "audio/wav", "format=json&from=0.5&to=0.75&samples-per-pixel=1024")
            #expect(data.text.contains(#""length":3"#), "\(data.text)")
            #expect(try service.stop().code == 0)

            try folder.write(
                "rows.jsonl",
                #"{"identifier": "r", "file": "sound.wav", "waveform": "filled", "from": "0:00.5", "marker": [0.6]}"#)
            let rows = try Offstage.run(
                "render", arguments: ["--manifest", "rows.jsonl", "--out", "out", "--no-cache"], in: folder)
            #expect(rows.code == 0, "\(rows.error)")
            #expect(try folder.picture("out/r.png").size == [800, 120])
        }
    }

    /// Options that would have no effect are errors, on the command line and in rows.
    @Test func optionsWithoutEffectAreNamed() throws {
        try withFolder { folder in
            try folder.write("a.wav", Sound.wav)
            func error(_ options: String...) throws -> String { try error(contentsOf: options) }
            func error(contentsOf options: [String], _ more: String...) throws -> String {
                let options = options + more
                let outcome = try Offstage.run(
                    "render", arguments: ["a.wav", "--no-cache", "-q"] + options, in: folder)
                #expect(outcome.code == 2, "\(options)")
                return outcome.error
            }
            #expect(
                try error("--samples-per-pixel", "9").contains(
                    "--samples-per-pixel has no effect on a picture, only on --format dat and json; leave it out"))
            for option in [["--rms"], ["--normalize"], ["--played", "0.5"], ["--width", "30"]] {
                let text = try error(contentsOf: option, "--format", "json")
                #expect(text.contains("\(option[0]) has no effect on the format json, only on pictures; leave it out"))
            }
            #expect(try error("--clipping-color", "red").contains("--clipping-color needs --show-clipping"))
            // Both files are written, and each option applies to one of them.
            let both = try Offstage.run(
                "render",
                arguments: [
                    "a.wav", "--also", "json", "--rms", "--samples-per-pixel", "500", "-o", "a.png", "--no-cache",
                ],
                in: folder)
            #expect(both.code == 0, "\(both.error)")
            try folder.write("rows.jsonl", #"{"identifier": "r", "file": "a.wav", "rms": true}"#)
            let rows = try Offstage.run(
                "render", arguments: ["--manifest", "rows.jsonl", "--out", "out", "--format", "dat", "--no-cache"],
                in: folder)
            #expect(rows.code == 2)
            #expect(rows.error.contains(#""rms" has no effect on the format dat"#), "\(rows.error)")
            let marker = try Offstage.run(
                "render", arguments: ["a.wav", "--marker", "0.5", "--marker", "99", "--region", "2,3", "--no-cache"],
                in: folder)
            #expect(marker.code == 0)
            #expect(
                marker.error.contains("after the end of the sound: the marker at 1:39.0 (the sound is 0:01.0 long)"))
            #expect(marker.error.contains("the region starting at 0:02.0") && !marker.error.contains("0:00.5"))
        }
    }

    /// Another program's options, with the same result.
    @Test func audiowaveformsOptionsHaveAdvice() throws {
        try withFolder { folder in
            try folder.write("a.wav", Sound.wav)
            for (option, advice) in [
                ("--background-color", "use --background"), ("--start", "use --from"), ("--end", "use --to"),
                ("--zoom", "use --samples-per-pixel"), ("--bits", "use --format dat:bits=8 or json:bits=8"),
                ("--no-axis-labels", "leave it out: times are drawn only with --axis"),
            ] {
                let outcome = try Offstage.run("render", arguments: ["a.wav", option, "1"], in: folder)
                #expect(outcome.code == 2)
                #expect(
                    outcome.error.contains("unknown option \(option), which audiowaveform has; \(advice)"),
                    "\(outcome.error)")
            }
        }
    }

    /// Loudness, the gain to reach a target, and clipped samples.
    @Test func loudnessAndClipping() throws {
        try withFolder { folder in
            try folder.write("loud.wav", Sound.clipped)
            let lines = try Offstage.run("info", arguments: ["loud.wav", "--target", "-16"], in: folder).text
                .split(separator: "\n").map(String.init)
            #expect(
                lines.first?.wholeMatch(
                    of:
                        /loud\.wav: WAV, 0:04\.0, 8000 Hz, mono, 16 bits, -?[0-9.]+ LUFS, range [0-9.]+ LU, true peak -?[0-9.]+ dBTP/
                ) != nil, "\(lines)")
            #expect(lines.dropFirst().first?.contains("to -16 LUFS: -") == true, "\(lines)")
            #expect(lines.last == "  clipped at full scale: 200 places (the first one at 0:00.0)")
            let json = try Offstage.run("info", arguments: ["loud.wav", "--target", "-1", "--json"], in: folder)
            let object = try #require(json.objects.first)
            let target = try #require(object["target"] as? [String: Any])
            let (own, gain) = (object["loudness"] as? Double ?? 0, target["gain"] as? Double ?? 0)
            #expect(abs(own + gain + 1) < 0.11)
            #expect(target["isTooLoud"] as? Bool == true && object["truePeak"] is Double)
            #expect(object["loudnessRange"] is Double && object["clippedRuns"] as? Int == 200)
            let wrong = try Offstage.run("info", arguments: ["loud.wav", "--target", "16"], in: folder)
            #expect(wrong.code == 2 && wrong.error.contains("--target takes a number from -70 to 0, not '16'"))

            let options = ["loud.wav", "--waveform", "filled", "--no-cache", "--json", "--strict", "-o", "a.png"]
            let plain = try Offstage.run("render", arguments: options, in: folder)
            #expect(plain.code == 0)
            let warnings = try #require(plain.objects.first?["warnings"] as? [[String: String]])
            #expect(warnings.map { $0["code"] } == ["sound-clipped"])
            let mark: [UInt8] = [0, 0xFF, 0, 0xFF]
            #expect(try folder.picture("a.png")[100, 60] != mark)
            _ = try Offstage.run(
                "render", arguments: options + ["--show-clipping", "--clipping-color", "lime"], in: folder)
            #expect(try folder.picture("a.png")[100, 60] == mark)
            #expect(try folder.picture("a.png")[700, 60] != mark)
        }
    }

    @Test func filesOfUnknownBytesAreNoText() throws {
        try withFolder { folder in
            let film = Data("Creative Voice File\u{1A}".utf8) + Data(count: 100)
            try folder.write("film", film)
            try folder.write("noise.bin", Data((0..<3000).map { UInt8(truncatingIfNeeded: $0 &* 31) }))
            let outcome = try Offstage.run("info", arguments: ["film", "noise.bin"], in: folder)
            #expect(outcome.code == 1 && outcome.text.isEmpty)
            #expect(outcome.error.contains("the sound of this kind of file cannot be decoded; convert it, for example"))
            #expect(outcome.error.contains("noise.bin: it is not text"), "\(outcome.error)")
        }
    }

    @Test func info() throws {
        try withFolder { folder in
            try folder.write("sound.wav", Sound.wav)
            try folder.write("none.mp3", "no sound")
            let outcome = try Offstage.run("info", arguments: ["sound.wav", "none.mp3", "--json"], in: folder)
            #expect(outcome.code == 1)
            let objects = try outcome.objects
            #expect(objects[0]["kind"] as? String == "WAV")
            #expect(objects[0]["channels"] as? Int == 1)
            #expect(objects[0]["loudness"] is Double)
            #expect((objects[1]["error"] as? String)?.contains("not a sound file of a known kind") == true)
            #expect(objects[0]["warnings"] == nil)
            try folder.write("cut.wav", Sound.wav.prefix(9000))
            let cut = try Offstage.run("info", arguments: ["cut.wav", "--json"], in: folder)
            let warnings = try #require(cut.objects.first?["warnings"] as? [[String: String]])
            #expect(warnings.map { $0["code"] } == ["sound-damaged"])
            #expect(warnings.first?["message"]?.hasPrefix("missing because the file is damaged: its end") == true)
            let text = try Offstage.run("info", arguments: ["sound.wav"], in: folder)
            #expect(text.text.hasPrefix("sound.wav: WAV, 0:01.0, 8000 Hz, mono, 16 bits"))
        }
    }
}
