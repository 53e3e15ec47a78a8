import Foundation
import Testing

/// `--charset`, and bytes whose charset is not declared.
@Suite struct CharsetOptionTests {
    private let text = "<!doctype html><meta charset=utf-8><body style='margin:0'><p>Grüße €"
    /// `Grüße €` in windows-1252. In a Russian charset, the bytes mean Cyrillic letters.
    private let bytes = Data("<!doctype html><body style='margin:0'><p>Gr".utf8) + Data([0xFC, 0xDF, 0x65, 0x20, 0x80])

    private func render(_ folder: Folder, _ arguments: String..., stdin: Data = Data()) throws -> (Outcome, Data) {
        let outcome = try Child(
            [Offstage.path, "render", "-o", "a.png"] + arguments, stdin: stdin, folder: folder.path
        ).wait()
        return (outcome, (try? folder.data("a.png")) ?? Data())
    }

    @Test func undeclaredBytesAreWindows1252WithAWarning() throws {
        try withFolder { folder in
            try folder.write("text.html", text)
            try folder.write("bytes.html", bytes)
            let (plain, picture) = try render(folder, "text.html", "--strict")
            #expect(plain.code == 0)
            let (guessed, same) = try render(folder, "bytes.html")
            #expect(guessed.code == 0)
            #expect(
                guessed.error.contains(
                    "offstage: bytes.html: declares no charset and is not UTF-8; read as windows-1252"))
            let isSame = same == picture
            #expect(isSame)
            #expect(try render(folder, "bytes.html", "--strict").0.code == 1)
            // An unknown name declares nothing.
            let start = Data("<!doctype html><meta charset=klingon><body style='margin:0'>".utf8)
            try folder.write("bogus.html", start + bytes.dropFirst(38))
            let (unknown, still) = try render(folder, "bogus.html")
            #expect(unknown.error.contains("offstage: bogus.html: declares no charset and is not UTF-8"))
            let isStill = still == picture
            #expect(isStill)
            // If the user gives the charset, it is not a guess, and no warning is reported, not even from the cache.
            let (named, again) = try render(folder, "bytes.html", "--strict", "--charset", "windows-1252")
            #expect(named.code == 0, "\(named.error)")
            let isTheSame = again == picture
            #expect(isTheSame)
        }
    }

    /// The option overrides the document's declaration, is part of the cache key, and applies to standard input.
    @Test func theOptionHolds() throws {
        try withFolder { folder in
            try folder.write("bytes.html", Data("<meta charset=windows-1251>".utf8) + bytes)
            let (_, russian) = try render(folder, "bytes.html")
            let (western, latin) = try render(folder, "bytes.html", "--charset", "CP1252")
            #expect(western.code == 0)
            let isOther = russian != latin
            #expect(isOther)
            let (_, input) = try render(folder, "-", "--charset", "windows-1252", stdin: folder.data("bytes.html"))
            let isSame = input == latin
            #expect(isSame)
            let (wrong, _) = try render(folder, "bytes.html", "--charset", "klingon")
            #expect(wrong.code == 2)
            #expect(
                wrong.error
                    == "offstage: --charset takes a name of the Encoding standard, such as windows-1252, not 'klingon'\n"
            )
        }
    }

    @Test func inRows() throws {
        try withFolder { folder in
            try folder.write("bytes.html", bytes)
            try folder.write(
                "rows.jsonl",
                """
                {"identifier":"a","file":"bytes.html","charset":"windows-1252"}
                {"identifier":"b","file":"bytes.html","charset":"windows-1251"}
                {"identifier":"c","html":"<!doctype html><body style='margin:0'><p>Grüße €"}

                """)
            // Text is already decoded, so it has no bytes to read.
            let outcome = try Offstage.run(
                "render", "--manifest", "rows.jsonl", "--out", "out", "--charset", "koi8-r", "--strict", in: folder)
            #expect(outcome.code == 0, "\(outcome.error)")
            let files = try ["a", "b", "c"].map { try folder.data("out/\($0).png") }
            let isRight = files[0] == files[2] && files[0] != files[1]
            #expect(isRight)
            try folder.write("rows.jsonl", #"{"identifier":"c","html":"x","charset":"latin1"}"# + "\n")
            let wrong = try Offstage.run("render", "--manifest", "rows.jsonl", "--out", "out", in: folder)
            #expect(wrong.code == 2)
            #expect(wrong.error.contains(#""charset" applies to a "file"; the text of "html" is Unicode"#))
        }
    }

    /// The client sets the charset in the header or the query; otherwise the body is UTF-8.
    @Test func overHTTP() throws {
        try withFolder { folder in
            let service = try Service(in: folder)
            let plain = try service.draw("<p>ä").body
            let mistaken = try service.draw("<p>Ã¤").body
            let header = try service.draw("<p>ä", "", ["Content-Type": "text/html; charset=windows-1252"])
            let query = try service.draw("<p>ä", "charset=latin1")
            let utf8 = try service.draw("<p>ä", "", ["Content-Type": "text/html; charset=UTF-8"])
            #expect([header, query, utf8].map(\.status) == [200, 200, 200])
            let isRight = header.body == mistaken && query.body == mistaken && utf8.body == plain && plain != mistaken
            #expect(isRight)
            let wrong = try service.draw("<p>", "", ["Content-Type": "text/html; charset=klingon"])
            #expect(wrong.status == 415)
            #expect(wrong.code == "unsupported-charset")
        }
    }
}
