import Foundation
import PageSamples
import Testing

/// Annotations from the pipe and over HTTP.
struct AnnotationServiceTests {
    private static let red = #"{"red":255,"green":0,"blue":0}"#
    private static let part = #"{"x":0.25,"y":0.25,"width":0.5,"height":0.5}"#

    private static func notes(page: Int = 1) -> String {
        #"{"version":1,"pages":{"\#(page)":[{"kind":"highlight","part":\#(part),"marks":[\#(part)],"color":\#(red)}]}}"#
    }

    private static let xfdf =
        "<xfdf><annots><highlight page='0' color='#FF0000' coords='50,75,150,75,50,25,150,25'/><stamp page='0'/></annots></xfdf>"

    private func withScore(_ body: (Folder) throws -> Void) throws {
        try withFolder { folder throws in
            try folder.write("score.pdf", TestPDF("q Q").data)
            try folder.write("notes.json", Self.notes())
            try body(folder)
        }
    }

    private func expectMark(_ folder: Folder, _ document: Data) throws {
        try folder.write("saved.pdf", document)
        let run = try Offstage.run(
            "render", arguments: ["saved.pdf", "--no-cache", "--annotations", "none", "-q", "-o", "page.png"],
            in: folder)
        #expect(run.code == 0, "\(run.error)")
        #expect(try folder.picture("page.png")[133, 66] == [255, 0, 0, 255])
    }

    @Test func thePipeSavesAnnotations() throws {
        try withScore { folder throws in
            let pipe = try PipeProgram("--no-cache", "--out", "out", in: folder)
            let xfdf = Self.xfdf.replacing("'", with: "\\\"")
            pipe.send(
                #"{"id":"file","command":"annotate","file":"score.pdf","annotations":"notes.json","output":"a/b.pdf"}"#,
                #"{"id":"object","command":"annotate","file":"score.pdf","annotations":\#(Self.notes()),"inline":true}"#,
                #"{"id":"xfdf","command":"annotate","file":"score.pdf","xfdf":"\#(xfdf)","inline":true}"#)
            #expect(try pipe.result("file").object["path"] as? String == "out/a/b.pdf")
            try expectMark(folder, try folder.data("out/a/b.pdf"))
            for name in ["object", "xfdf"] {
                let result = try pipe.result(name).object
                #expect(result["status"] as? String == "done" && result["command"] as? String == "annotate")
                try expectMark(folder, try #require(Data(base64Encoded: result["data"] as? String ?? "")))
            }
            #expect(try pipe.result("xfdf").object["leftOut"] as? [String] == ["a stamp annotation, page 1"])
            let end = try pipe.end()
            #expect(end.outcome.code == 0 && end.results.count == 3)
        }
    }

    @Test func thePipeRefusesWhatItCannotSave() throws {
        try withScore { folder throws in
            try folder.write("out/own.pdf", TestPDF("q Q").data)
            let cases: [(line: String, code: String, error: String)] = [
                (#""file":"score.pdf","inline":true"#, "invalid", "there is nothing to save"),
                (#""annotations":"notes.json","inline":true"#, "invalid", "the document is missing; give a \"file\""),
                (
                    #""file":"score.pdf","annotations":"notes.json""#, "invalid",
                    "the output for the document is missing"
                ),
                (
                    #""file":"score.pdf","annotations":"notes.json","output":"a.png""#, "invalid",
                    "the path of a .pdf file"
                ),
                (
                    #""file":"out/own.pdf","annotations":"notes.json","output":"own.pdf""#, "invalid",
                    "would be replaced"
                ),
                (
                    #""file":"score.pdf","annotations":\#(Self.notes(page: 2)),"inline":true"#, "invalid",
                    "there is no page 2"
                ),
                (
                    #""file":"score.pdf","annotations":{"version":1,"pages":{"1":[{}]}},"inline":true"#, "invalid",
                    "pages.1[0].kind is missing"
                ),
                (
                    #""file":"score.pdf","annotations":5,"inline":true"#, "invalid",
                    "\"annotations\" takes an object or the path"
                ),
                (#""file":"score.pdf","xfdf":"<a/>","inline":true"#, "invalid", "it is not an XFDF file"),
                (#""file":"score.pdf","remove":[],"inline":true"#, "invalid", "\"remove\" takes \"all\" or a list"),
                (#""file":"score.pdf","remove":["x"],"inline":true"#, "invalid", "has no annotation x"),
                (
                    #""file":"score.pdf","remove":"all","inline":true,"width":5"#, "invalid",
                    "annotate has no key \"width\""
                ),
                (#""file":"none.pdf","annotations":"notes.json","inline":true"#, "unreadable", "cannot read none.pdf"),
                (
                    #""file":"notes.json","annotations":"notes.json","inline":true"#, "unreadable",
                    "is not a PDF document"
                ),
            ]
            let pipe = try PipeProgram("--no-cache", "--out", "out", "--ordered", in: folder)
            for one in cases { pipe.send(#"{"command":"annotate",\#(one.line)}"#) }
            let results = try pipe.end().results
            #expect(results.count == cases.count)
            for (result, expected) in zip(results, cases) {
                #expect(result.object["code"] as? String == expected.code, "\(expected.line)")
                let error = result.object["error"] as? String ?? ""
                #expect(error.contains(expected.error), "\(expected.line): \(error)")
            }
        }
    }

    private func post(_ service: Service, _ body: String, _ type: String = "application/json") throws -> Answer {
        try service.ask("POST", "/v1/annotations", ["Content-Type": type], body)
    }

    @Test func theServiceSavesAnnotations() throws {
        try withScore { folder throws in
            let service = try Service(in: folder)
            let document = "\"document\":\"\(try folder.data("score.pdf").base64EncodedString())\""
            for notes in ["\"annotations\":\(Self.notes())", "\"xfdf\":\"\(Self.xfdf)\""] {
                let answer = try post(service, "{\(document),\(notes)}")
                #expect(answer.status == 200 && answer.headers["content-type"] == "application/pdf", "\(answer.text)")
                #expect(answer.headers["offstage-left-out"] == (notes.hasPrefix("\"xfdf") ? "1" : "0"))
                try expectMark(folder, answer.body)
            }
            // More values than other requests may have.
            let points = (0..<6_000).map { #"{"x":\#(Double($0) / 6_000),"y":0.5}"# }.joined(separator: ",")
            let ink = #"{"version":1,"pages":{"1":[{"kind":"ink","part":\#(Self.part),"strokes":[[\#(points)]]}]}}"#
            #expect(try post(service, "{\(document),\"annotations\":\(ink)}").status == 200)
            let deep = String(repeating: "[", count: 100_000)
            for (body, status, code) in [
                ("{\(document)}", 422, "invalid-request"),
                ("{\(document),\"remove\":[\"x\"]}", 422, "invalid-annotations"),
                ("{\(document),\"annotations\":\(Self.notes(page: 9))}", 422, "invalid-annotations"),
                ("{\"document\":\"!\",\"remove\":\"all\"}", 422, "invalid-request"),
                ("{\"document\":\"aGVsbG8=\",\"remove\":\"all\"}", 422, "unusable-document"),
                ("{\"file\":\"score.pdf\",\"annotations\":\(Self.notes())}", 403, "files-not-allowed"),
                ("{\(document),\"annotations\":\"notes.json\"}", 403, "files-not-allowed"),
                ("{\(document),\"annotations\":\(deep)", 422, "invalid-request"), ("[1", 400, "invalid-body"),
            ] {
                let answer = try post(service, body)
                #expect(answer.status == status && answer.object["code"] as? String == code, "\(code): \(answer.text)")
            }
            #expect(try post(service, "{}", "text/plain").status == 415)
            #expect(try service.stop().code == 0)
        }
    }

    @Test func filesOfTheServiceCanBeNamed() throws {
        try withScore { folder throws in
            try folder.write("in/score.pdf", TestPDF("q Q").data)
            try folder.write("in/notes.json", Self.notes())
            let service = try Service(["--files", "in"], in: folder)
            let answer = try post(service, #"{"file":"score.pdf","annotations":"notes.json"}"#)
            #expect(answer.status == 200, "\(answer.text)")
            try expectMark(folder, answer.body)
            for path in ["../notes.json", folder.path("notes.json")] {
                let refused = try post(service, #"{"file":"score.pdf","annotations":"\#(path)"}"#)
                #expect(refused.status == 403, "\(refused.text)")
            }
            #expect(try service.stop().code == 0)
        }
    }
}
