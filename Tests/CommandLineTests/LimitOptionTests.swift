import Foundation
import Testing

/// The limits of a snippet: an error names the exceeded limit.
@Suite struct LimitOptionTests {
    private static let pixel =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="

    /// More elements than can be laid out within the timeout and the grace period. On a busy machine, the error is
    /// reported before all of them have been parsed.
    @Test func farTooManyElements() throws {
        try withFolder { folder in
            try folder.write("a.html", "<!doctype html>" + String(repeating: "<i></i>", count: 2_100_000))
            try folder.write("b.html", row())
            let outcome = try Offstage.run(
                "render", "a.html", "b.html", "--out", "out", "-q", "--grace", "60", in: folder)
            #expect(outcome.code == 1)
            #expect(
                try outcome.error.wholeMatch(
                    of: Regex(
                        "offstage: a.html: the document has [0-9]+ elements, but the limit max-elements is 500000; "
                            + "make it smaller or raise the limit\n")) != nil, "\(outcome.error)")
            #expect(folder.files("out") == ["b.png"])
        }
    }

    @Test(arguments: [
        ("<p>" + String(repeating: "a", count: 97), "max-input-bytes", "100", nil),
        ("<p>" + String(repeating: "a", count: 98), "max-input-bytes", "100", "the document has 101 bytes"),
        // The number includes html, head and body.
        (String(repeating: "<i></i>", count: 7), "max-elements", "10", nil),
        (String(repeating: "<i></i>", count: 8), "max-elements", "10", "the document has 11 elements"),
        // The same image counts once, even if it is used twice.
        (String(repeating: "<img src='data:image/png;base64,\(pixel)'>", count: 2), "max-image-pixels", "1", nil),
        (
            "<img src='data:image/png;base64,\(pixel)'>", "max-image-pixels", "0",
            "the document's images have 1 pixels"
        ),
    ])
    func ofADocument(html: String, option: String, value: String, problem: String?) throws {
        try withFolder { folder in
            try folder.write("a.html", html)
            try folder.write("b.html", row())
            for arguments in [["a.html"], ["-"]] {
                let outcome = try Child(
                    [Offstage.path, "render"] + arguments
                        + ["b.html", "--out", "out", "-q", "--no-cache", "--\(option)", value],
                    stdin: arguments == ["-"] ? Data(html.utf8) : Data(), folder: folder.path
                ).wait()
                guard let problem else {
                    // The other document may itself exceed some of the limits.
                    #expect(!outcome.error.contains("a.html") && !outcome.error.contains("standard input"))
                    continue
                }
                #expect(outcome.code == 1)
                #expect(
                    outcome.error.contains(
                        "\(problem), but the limit \(option) is \(value); make it smaller or raise the limit"))
            }
        }
    }

    /// Each image counts before it is decoded, because decoding would take 2 GB.
    @Test func everyWayToShowAnImageCounts() throws {
        let documents = try HostileDocument.all("limits").filter { $0.name.contains("/pixels-") }
        #expect(documents.count > 25)
        try withFolder { folder in
            for document in documents { try document.write(to: folder.path("in/\(document.name).html")) }
            let outcome = try Child(
                [Offstage.path, "render", "in", "--out", "out", "--json", "--no-cache", "--jobs", "1"],
                folder: folder.path
            ).wait()
            #expect(outcome.code == 1)
            let objects = try outcome.objects
            #expect(objects.count == documents.count)
            for object in objects {
                let said = object["error"] as? String ?? "\(object["status"] ?? "") \(object["warnings"] ?? "")"
                #expect(
                    said.contains(#/images have 529000\d00 pixels, but the limit max-image-pixels is 500000000/#),
                    "\(object["identifier"] ?? ""): \(said)")
            }
            #expect(folder.files("out") == [])
        }
    }

    /// The first bytes of image files in the base folder give their sizes: 30 × 20 px each.
    @Test func everyKindOfFileCounts() throws {
        try withFolder { folder in
            let kinds = ["png", "gif", "jpg", "webp", "bmp", "ico"]
            for kind in kinds {
                let made = try Child(
                    ["/usr/bin/convert", "-size", "30x20", "xc:red"]
                        + (kind == "webp" ? ["-define", "webp:lossless=true"] : []) + ["a.\(kind)"],
                    folder: folder.path
                ).wait()
                #expect(made.code == 0, "\(made.error)")
                // A frame that none of Offstage's scripts can read.
                try folder.write(
                    "\(kind).html",
                    "<div><template shadowrootmode=closed><p style='background:url(a.\(kind))'>text</template></div>")
            }
            for limit in [599, 600] {
                let outcome = try Child(
                    [Offstage.path, "render"] + kinds.map { "\($0).html" } + [
                        "--out", "out", "--json", "--no-cache", "--max-image-pixels", "\(limit)",
                    ], folder: folder.path
                ).wait()
                for object in try outcome.objects {
                    let error = object["error"] as? String ?? "none \(object["warnings"] ?? "")"
                    #expect(
                        error.contains("the document's images have 600 pixels") == (limit == 599),
                        "\(object["identifier"] ?? ""): \(error)")
                }
            }
            // The file counts once, although the document counts it, too.
            try folder.write("both.html", "<img src=a.png><img src=a.png?1><p style='background:url(a.png#b)'>text")
            let both = try Offstage.run(
                "render", "both.html", "--out", "out", "-q", "--max-image-pixels", "600", in: folder)
            #expect(both.code == 0, "\(both.error)")
        }
    }

    @Test func ofFilesAndTheirBytes() throws {
        try withFolder { folder in
            let images = (0..<4).map { "<img src=\($0).png width=10 height=10>" }.joined()
            try folder.write("a.html", row() + images)
            for index in 0..<4 { try folder.write("\(index).png", MachineTests.png) }
            func warnings(_ options: String...) throws -> [[String: String]] {
                let outcome = try Child(
                    [Offstage.path, "render", "a.html", "--out", "out", "--json"] + options, folder: folder.path
                ).wait()
                #expect(outcome.code == 0, "\(outcome.error)")
                return try #require(try outcome.objects.first?["warnings"] as? [[String: String]])
            }
            let few = try warnings("--max-resources", "3")
            #expect(few.map { $0["code"] } == ["resource-limit"])
            #expect(few.first?["reason"] == "the limit max-resources is 3")
            let bytes = MachineTests.png.count
            let light = try warnings("--max-resource-bytes", "\(3 * bytes)")
            #expect(light.map { $0["reason"] } == ["the limit max-resource-bytes is \(3 * bytes)"])
            // The limit and not the document caused the error, so the error is not cached.
            #expect(try warnings().isEmpty)
        }
    }

    @Test func ofAPicture() throws {
        try withFolder { folder in
            try folder.write("a.html", row(height: 60))
            func error(_ options: String...) throws -> String {
                try Child(
                    [Offstage.path, "render", "a.html", "--out", "out", "-q", "--no-cache", "--width", "100"] + options,
                    folder: folder.path
                ).wait().error
            }
            #expect(try error("--max-side", "100", "--max-pixels", "6000") == "")
            #expect(try error("--max-side", "99").contains("100 × 60 device px is too large; the limit is 99 × 99"))
            #expect(
                try error("--max-pixels", "5999").contains("100 × 60 device px is too large; the limit is 5999 pixels"))
        }
    }

    /// The script loops without giving the web process a chance to check its memory.
    @Test func ofMemory() throws {
        try withFolder { folder in
            try folder.write(
                "a.html", "<script>const all = []; for (;;) all.push(new Uint8Array(1 << 24).fill(1))</script>")
            try folder.write("b.html", row())
            // Without the limit, the loop would last as long as the time limit allows.
            let outcome = try Offstage.run(
                "render", "a.html", "b.html", "--out", "out", "-q", "--javascript", "--max-memory", "500000000",
                "--timeout", "3600", in: folder)
            #expect(outcome.code == 1)
            #expect(outcome.error.contains("bytes of memory, but the limit max-memory is 500000000; make it smaller"))
            #expect(folder.files("out") == ["b.png"])
        }
    }

    /// A row cannot raise a limit of the command line.
    @Test func aRowHasNone() throws {
        try withFolder { folder in
            try folder.write("rows.jsonl", #"{"identifier": "a", "html": "x", "max-elements": 9}"#)
            let outcome = try Offstage.run("render", "--manifest", "rows.jsonl", "--out", "out", in: folder)
            #expect(outcome.code == 2)
            #expect(outcome.error.contains(#"there is no key "max-elements""#))
        }
    }
}
