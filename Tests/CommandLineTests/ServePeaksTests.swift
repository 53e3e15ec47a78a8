import Foundation
import Testing

/// `/v1/peaks`: ranges of a sound's peaks, at a zoom level.
@Suite struct ServePeaksTests {
    private func values(_ answer: Answer) -> [Int] { answer.object["data"] as? [Int] ?? [] }

    /// Ten seconds, each of which is first silent and then loud.
    private static let sound = Sound.wav(seconds: 10)

    private func put(_ service: Service, _ body: Data, type: String = "audio/wav") throws -> Answer {
        let client = try Client(service.socket)
        let headers = ["Content-Type": type, "Content-Length": "\(body.count)", "Connection": "close"]
        try client.send("PUT", "/v1/images/a/song?width=100", headers, nil)
        try client.write(body)
        return try client.answer()
    }

    @Test func partsOfASoundThatWasPut() throws {
        try withFolder { folder in
            var service = try Service(in: folder)
            let path = "/v1/peaks/a/song"
            let absent = try service.ask("GET", path)
            #expect(absent.status == 404 && absent.code == "no-such-sound")
            #expect(try put(service, Self.sound).status == 201)
            let whole = try service.ask("GET", path + "?samples-per-pixel=2000")
            #expect(whole.status == 200)
            #expect(whole.headers["offstage-values"] == "0-40/41")
            #expect(whole.headers["offstage-duration"] == "10.000")
            #expect(whole.headers["offstage-warnings"] == "0")
            // A range has the same values as the whole.
            let part = try service.ask("GET", path + "?samples-per-pixel=2000&from=0:02.5&to=5")
            #expect(part.headers["offstage-values"] == "10-19/41")
            #expect(values(part) == Array(values(whole)[20..<40]))
            #expect(values(part).count == 20 && values(part).contains(-32768) && values(part).contains(0))
            let perSecond = try service.ask("GET", path + "?pixels-per-second=4&from=2.5&to=5")
            #expect(perSecond.body == part.body)
            // The same bytes as from the command line, also at another zoom level.
            try folder.write("song.wav", Self.sound)
            for (format, query) in [("dat", "format=dat:bits=8,split"), ("dat", "format=dat"), ("json", "")] {
                let spec = query.isEmpty ? "json" : String(query.dropFirst(7))
                let options = ["--samples-per-pixel", "1024", "--from", "3", "--to", "4", "-q", "--no-cache"]
                let outcome = try Offstage.run(
                    "render", arguments: ["song.wav", "--format", spec, "-o", "song.\(format)"] + options, in: folder)
                #expect(outcome.code == 0, "\(outcome.error)")
                let answer = try service.ask("GET", path + "?samples-per-pixel=1024&from=3&to=4&" + query)
                #expect(answer.body == FileManager.default.contents(atPath: folder.path("song.\(format)")), "\(spec)")
            }
            // The peaks are stored on disk.
            #expect(try service.stop().code == 0)
            service = try Service(in: folder)
            #expect(try service.ask("GET", path + "?samples-per-pixel=2000").body == whole.body)
            #expect(try service.metric("events_total{kind=\"drawn\"}") == 0)
            // The peaks belong to the picture: they are gone if another picture replaces it or it is removed.
            #expect(try put(service, Data("<p>x".utf8), type: "text/html").status == 200)
            #expect(try service.ask("GET", path).status == 404)
            #expect(try put(service, Self.sound).status == 200)
            #expect(try service.ask("GET", path).status == 200)
            #expect(try put(service, Sound.wav).status == 200)
            #expect(try service.ask("GET", path).headers["offstage-duration"] == "1.000")
            #expect(try service.ask("DELETE", "/v1/images/a/song").status == 204)
            #expect(try service.ask("GET", path).status == 404)
        }
    }

    @Test func conditionsAndAccept() throws {
        try withFolder { folder in
            let service = try Service(in: folder)
            let path = "/v1/peaks/a/song?samples-per-pixel=4000"
            #expect(try put(service, Self.sound).status == 201)
            let json = try service.ask("GET", path)
            #expect(json.headers["content-type"] == "application/json")
            let tag = try #require(json.headers["etag"])
            let same = try service.ask("GET", path, ["If-None-Match": tag])
            #expect(same.status == 304 && same.body.isEmpty && same.headers["etag"] == tag)
            #expect(try service.ask("GET", path + "&from=1", ["If-None-Match": tag]).status == 200)
            #expect(try service.ask("GET", path, ["If-Match": "\"x\""]).status == 412)
            let head = try service.ask("HEAD", path)
            #expect(head.status == 200 && head.body.isEmpty && head.headers["etag"] == tag)
            let binary = try service.ask("GET", path, ["Accept": "application/x-audiowaveform"])
            #expect(binary.headers["content-type"] == "application/x-audiowaveform" && binary.body.count == 20 + 21 * 4)
            #expect(try service.ask("GET", path, ["Accept": "image/png"]).status == 406)
            let wavesurfer = try service.ask("GET", path + "&format=json:wavesurfer")
            #expect(wavesurfer.text.hasPrefix(#"{"duration":"#))
        }
    }

    @Test func partsOfAFile() throws {
        try withFolder { folder in
            try folder.write("files/in/song.wav", Self.sound)
            try folder.write("files/page.html", "<p>x")
            let film = Data("RIFF".utf8) + Data(count: 4) + Data("AVI LIST".utf8) + Data(count: 60)
            try folder.write("files/film.avi", film)
            try folder.write("song.wav", Self.sound)
            let service = try Service(["--files", "files"], in: folder)
            for count in 1...2 {
                let answer = try service.ask("GET", "/v1/peaks?file=in/song.wav&samples-per-pixel=2000&to=0:01")
                #expect(answer.status == 200)
                #expect(answer.headers["offstage-values"] == "0-3/41")
                #expect(answer.headers["content-disposition"] == "inline; filename=\"song.json\"")
                #expect(values(answer) == [0, 0, 0, 0, -32768, 32767, -32768, 32767], "\(count)")
            }
            // One drawing decodes the sound; the second answer uses the stored peaks.
            #expect(try service.metric("events_total{kind=\"drawn\"}") == 1)
            let problems = [
                ("file=in/none.wav", 404, "no-such-file"), ("file=page.html", 422, "not-a-sound"),
                ("file=film.avi", 422, "undecoded-sound"), ("file=../song.wav", 403, "files-not-allowed"),
            ]
            for (query, status, code) in problems {
                let answer = try service.ask("GET", "/v1/peaks?" + query)
                #expect(answer.status == status && answer.code == code, "\(query): \(answer.text)")
                #expect(!answer.text.contains(folder.path))
            }
            #expect(try service.stop().code == 0)
            let closed = try Service(in: folder)
            #expect(try closed.ask("GET", "/v1/peaks?file=in/song.wav").code == "files-not-allowed")
        }
    }

    @Test(arguments: [
        ("samples-per-pixel=100", 400, "zoom-too-fine"), ("pixels-per-second=1000", 400, "zoom-too-fine"),
        ("samples-per-pixel=0", 400, "invalid-query"), ("samples-per-pixel=x", 400, "invalid-query"),
        ("samples-per-pixel=512&pixels-per-second=4", 400, "invalid-query"), ("from=1:99", 400, "invalid-query"),
        ("from=2&to=1", 400, "invalid-query"), ("from=1&from=2", 400, "invalid-query"),
        ("width=300", 400, "invalid-query"), ("file=a.wav", 400, "invalid-query"),
        ("format=png", 400, "invalid-query"), ("format=dat:bits=9", 400, "invalid-query"),
        ("from=10", 416, "no-such-part"), ("from=1000&to=2000", 416, "no-such-part"),
    ])
    func wrongUse(query: String, status: Int, code: String) throws {
        try withFolder { folder in
            let service = try Service(in: folder)
            #expect(try put(service, Self.sound).status == 201)
            let answer = try service.ask("GET", "/v1/peaks/a/song?" + query)
            #expect(answer.status == status && answer.code == code, "\(answer.text)")
            if status == 416 { #expect(answer.headers["offstage-values"] == "*/313") }
        }
    }
}
