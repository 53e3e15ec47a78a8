import Foundation
import Testing

/// `--fonts FOLDER` uses the fonts in a folder and none of the machine's.
@Suite struct FontsOptionTests {
    static let carried = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Snippets/assets/fonts").path

    /// A folder with some of the snippets' fonts.
    private func copy(_ names: String..., to folder: Folder) throws {
        for name in names {
            try FileManager.default.copyItem(atPath: Self.carried + "/" + name, toPath: folder.path(name))
        }
    }

    private func document(_ family: String, face: String = "", _ text: String = "Hamburgefonts 123") -> String {
        """
        <!doctype html><meta charset=utf-8><style>\(face)body{margin:0;font:20px/30px \(family)}</style>\(text)
        """
    }

    /// The cache is in the same folder and is removed with it.
    private func run(
        _ arguments: [String], in folder: Folder, environment: [String: String?] = [:], prefix: [String] = []
    ) throws -> Outcome {
        let variables = ["XDG_CACHE_HOME": folder.path("cache")].merging(environment) { $1 }
        return try Child(prefix + [Offstage.path] + arguments, environment: variables, folder: folder.path).wait()
    }

    /// If the folder contains a single font, text of any family is drawn with it: the picture equals one with a web
    /// font.
    @Test func textIsDrawnInTheFoldersFont() throws {
        try withFolder { folder in
            try copy("Vollkorn-Regular.woff2", to: folder.make("fonts"))
            let families = ["sans-serif", "serif", "monospace", "system-ui", "'DejaVu Sans',sans-serif"]
            for (index, family) in families.enumerated() { try folder.write("in/\(index).html", document(family)) }
            try folder.write(
                "brought.html",
                document("Carried", face: "@font-face{font-family:Carried;src:url(fonts/Vollkorn-Regular.woff2)}"))
            #expect(try run(["render", "in", "--out", "out", "--fonts", "fonts", "--strict"], in: folder).code == 0)
            #expect(try run(["render", "in", "brought.html", "--out", "machine"], in: folder).code == 0)
            let brought = try pixels(folder, "machine/brought.png")
            #expect(try folder.picture("machine/brought.png").ink(below: 0) > 300)
            for index in families.indices {
                #expect(try pixels(folder, "out/\(index).png") == brought, "\(families[index])")
                #expect(try pixels(folder, "machine/\(index).png") != brought)
            }
        }
    }

    /// The colour of every pixel.
    private func pixels(_ folder: Folder, _ name: String) throws -> [[UInt8]] {
        let picture = try folder.picture(name)
        return (0..<picture.height).flatMap { y in (0..<picture.width).map { picture[$0, y] } }
    }

    /// If its name gives no clue, a monospaced font is recognized by its equal widths.
    @Test func genericFamiliesAreChosenByTheRule() throws {
        try withFolder { folder in
            try copy("FiraCode-Regular.woff2", "Vollkorn-Regular.woff2", "Inter.woff2", to: folder.make("fonts"))
            let families = ["sans-serif", "serif", "monospace", "Inter", "'Fira Code'", "Vollkorn"]
            for (index, family) in families.enumerated() { try folder.write("in/\(index).html", document(family)) }
            let outcome = try run(["render", "in", "--out", "out", "--fonts", "fonts", "--strict"], in: folder)
            #expect(outcome.code == 0, "\(outcome.error)")
            let drawn = try families.indices.map { try pixels(folder, "out/\($0).png") }
            #expect(drawn[0] == drawn[3])
            #expect(drawn[1] == drawn[3])
            #expect(drawn[2] == drawn[4])
            #expect(Set(drawn).count == 3)
        }
    }

    /// Neither the machine's fonts nor the user's fonts are used; fonts for missing glyphs are searched for in the
    /// folder.
    @Test func theMachinesFontsAreNotThere() throws {
        try withFolder { folder in
            try copy("BebasNeue-Regular.woff2", to: folder.make("fonts"))
            try folder.write("a.html", document("'DejaVu Sans'", "A 漢 Ж 🙂"))
            let outcome = try run(["render", "a.html", "--out", "out", "--fonts", "fonts", "--json"], in: folder)
            #expect(outcome.code == 0)
            let warnings = try #require(try outcome.objects.first?["warnings"] as? [[String: Any]])
            #expect(
                warnings.map { $0["message"] as? String } == [
                    "no font has U+6F22 漢 (Han); put a font that supports it into fonts",
                    "no font has U+1F642 🙂 (emoji); put a font that supports it into fonts",
                    "drawn in another font, because none of these is installed and no generic family is named: DejaVu Sans",
                ])
            #expect(warnings.map { $0["code"] as? String } == ["glyph-missing", "glyph-missing", "font-replaced"])
        }
    }

    /// Folder names with spaces or XML's special characters, a subfolder, and a relative path with dots. Another path
    /// to the same folder gives the same picture.
    @Test func anyFolder() throws {
        try withFolder { folder in
            let name = "a & <b>'s \"c\" ÿ"
            try copy("Inter.woff2", to: folder.make(name + "/deep"))
            try copy("Inter.woff2", to: folder.make("plain"))
            try folder.write("a.html", document("sans-serif"))
            for (fonts, output) in [
                (name, "1"), ("./plain/../" + name + "/", "2"), (folder.path(name), "3"), ("plain", "4"),
            ] {
                let outcome = try run(
                    ["render", "a.html", "-o", output + ".png", "--fonts", fonts, "--strict-fonts"], in: folder)
                #expect(outcome.code == 0, "\(outcome.error)")
                #expect(outcome.errorLines.count == 2, "libraries say something: \(outcome.error)")
            }
            let first = try folder.data("1.png")
            for other in ["2.png", "3.png", "4.png"] {
                let isSame = try folder.data(other) == first
                #expect(isSame, "\(other)")
            }
        }
    }

    @Test func foldersThatCannotBe() throws {
        try withFolder { folder in
            try folder.write("a.html", document("serif"))
            try folder.write("text/README.txt", "no font")
            try copy("Inter.woff2", to: folder.make("broken"))
            try folder.write("broken/deep/cut.woff2", Data(try folder.data("broken/Inter.woff2").prefix(2000)))
            try folder.make("locked")
            chmod(folder.path("locked"), 0)
            defer { chmod(folder.path("locked"), 0o755) }
            let cases = [
                ("", "needs the name of a folder"),
                ("nowhere", "nowhere cannot be read: No such file or directory; name a folder of fonts"),
                ("a.html", "a.html cannot be read: Not a directory; name a folder of fonts"),
                ("locked", "locked cannot be read: Permission denied; name a folder of fonts"),
                ("text", "text contains no font; put .ttf, .otf, .ttc, .woff or .woff2 files into it"),
                ("broken", "deep/cut.woff2 in broken is not a readable font; replace or remove it"),
            ]
            for (fonts, message) in cases {
                let outcome = try run(
                    ["render", "a.html", "--out", "out", "--fonts", fonts], in: folder, prefix: Offstage.asOrdinaryUser)
                #expect(outcome.code == 2)
                #expect(outcome.error == "offstage: --fonts \(message)\n")
            }
            #expect(folder.files("out") == [])
        }
    }

    /// If another font file replaces one with the same name, the new one is used.
    @Test func aChangedFolder() throws {
        try withFolder { folder in
            try folder.write("a.html", document("serif"))
            let cache = ["XDG_CACHE_HOME": folder.path("cache")]
            func draw(_ font: String) throws -> Data {
                try folder.write("fonts/one.woff2", Data(contentsOf: URL(fileURLWithPath: Self.carried + "/" + font)))
                let outcome = try run(
                    ["render", "a.html", "-o", "-", "--fonts", "fonts"], in: folder, environment: cache)
                #expect(outcome.code == 0)
                return outcome.output
            }
            let first = try draw("Inter.woff2")
            let second = try draw("Vollkorn-Regular.woff2")
            let isOther = first != second
            #expect(isOther)
            let isSame = try draw("Inter.woff2") == first
            #expect(isSame)
            #expect(folder.files("cache").contains { $0.hasPrefix("offstage/fonts-") && $0.hasSuffix("/fonts.conf") })
        }
    }

    /// The folder's path and modification times do not matter: identical machines have identical fingerprints.
    @Test func equalFontsElsewhereAreTheSame() throws {
        try withFolder { folder in
            try copy("Inter.woff2", to: folder.make("fonts"))
            try copy("Inter.woff2", to: folder.make("elsewhere/fonts"))
            let moment = Date(timeIntervalSince1970: 1e9)
            for path in ["elsewhere/fonts/Inter.woff2", "elsewhere/fonts"] {
                try FileManager.default.setAttributes([.modificationDate: moment], ofItemAtPath: folder.path(path))
            }
            try folder.write("a.html", document("serif"))
            func isKept(_ fonts: String) throws -> Bool {
                let outcome = try run(
                    ["render", "a.html", "--out", "out", "--fonts", fonts, "--cache", "c", "--json"], in: folder)
                return try #require(outcome.objects.first)["kept"] as? Bool == true
            }
            #expect(try !isKept("fonts"))
            #expect(try isKept("elsewhere/fonts"))
            try copy("FiraCode-Regular.woff2", to: Folder(path: folder.path("elsewhere/fonts")))
            #expect(try !isKept("elsewhere/fonts"))
        }
    }

    /// Without a cache folder, the run removes its temporary files at its end, even if a signal ends it.
    @Test func noCacheLeavesNothing() throws {
        try withFolder { folder in
            try copy("Inter.woff2", to: folder.make("fonts"))
            try folder.write("a.html", document("serif"))
            let temporary = try folder.make("tmp")
            let environment = ["XDG_CACHE_HOME": "/proc/nowhere", "TMPDIR": temporary.path]
            let outcome = try run(
                ["render", "a.html", "--out", "out", "--fonts", "fonts"], in: folder, environment: environment)
            #expect(outcome.code == 0, "\(outcome.error)")
            #expect(temporary.files() == [])
            // Many fonts, so that the signal arrives while fontconfig is still writing.
            for number in 1...50 {
                try FileManager.default.copyItem(
                    atPath: folder.path("fonts/Inter.woff2"), toPath: folder.path("fonts/\(number).woff2"))
            }
            let child = try Child(
                [Offstage.path, "render", "-", "--out", "out", "--fonts", "fonts"], holdsInput: true,
                environment: environment, folder: folder.path)
            #expect(eventually { !temporary.files().isEmpty })
            kill(child.id, SIGTERM)
            #expect(try child.wait().code == 128 + SIGTERM)
            #expect(temporary.files() == [])
        }
    }

    @Test func theDoctorLooksIntoTheFolder() throws {
        try withFolder { folder in
            try copy("Inter.woff2", to: folder.make("fonts"))
            let outcome = try run(["doctor", "--fonts", "fonts", "--json"], in: folder)
            #expect(outcome.code == 0)
            let checks = try #require(try outcome.objects.first?["checks"] as? [[String: Any]])
            let fonts = checks.filter { ($0["name"] as? String)?.hasPrefix("font-") == true }
            let latin = try #require(fonts.first { $0["name"] as? String == "font-latin" })
            #expect(latin["detail"] as? String == "Inter")
            let hebrew = try #require(fonts.first { $0["name"] as? String == "font-hebrew" })
            #expect(hebrew["remedy"] as? String == "put a font that supports it into fonts")
        }
    }

    /// On a machine whose fonts have no Latin letters, text causes a warning unless the document brings a font or
    /// shows no text.
    @Test func noFontHasLatinLetters() throws {
        try withFolder { folder in
            let hieroglyphs = "/usr/share/fonts/truetype/noto/NotoSansEgyptianHieroglyphs-Regular.ttf"
            try FileManager.default.copyItem(atPath: hieroglyphs, toPath: folder.make("fonts").path("a.ttf"))
            try copy("Vollkorn-Regular.woff2", to: folder)
            try folder.write("in/text.html", "<p>Hello <i hidden>world")
            try folder.write(
                "in/style.html", "<style>p::before { content: 'Me'; color: red } li { list-style: none }</style><p>")
            try folder.write("in/input.html", "<input value=yes>")
            try folder.write("in/none.html", "<style>p { color: red; content: none }</style><p><b hidden>a</b></p><hr>")
            try folder.write(
                "brought.html",
                document("Carried", face: "@font-face{font-family:Carried;src:url(Vollkorn-Regular.woff2)}"))
            let arguments = ["render", "in", "brought.html", "--out", "out", "--fonts", "fonts", "--json"]
            let outcome = try run(arguments, in: folder)
            #expect(outcome.code == 0, "\(outcome.error)")
            var missing: [String: String] = [:]
            for object in try outcome.objects {
                let warnings = object["warnings"] as? [[String: Any]] ?? []
                let glyphs = warnings.filter { $0["code"] as? String == "glyph-missing" }
                missing[try #require(object["identifier"] as? String)] = glyphs.first?["subject"] as? String ?? ""
            }
            #expect(
                missing == [
                    "text": "U+0048 H, U+0065 e, U+006C l, U+006F o (Latin)",
                    "style": "U+004D M, U+0065 e (Latin)",
                    "input": "U+0065 e, U+0073 s, U+0079 y (Latin)",
                    "none": "", "brought": "",
                ])
            let strict = try run(
                ["render", "in/text.html", "-o", "a.png", "--fonts", "fonts", "--strict"], in: folder)
            #expect(strict.code == 1)
            #expect(strict.error.contains("(Latin); put a font that supports it into fonts"))
            let doctor = try run(["doctor", "--fonts", "fonts"], in: folder)
            #expect(doctor.code == 3)
            #expect(doctor.text.contains("FAIL  font-latin "))
        }
    }

    @Test func strictFonts() throws {
        try withFolder { folder in
            try folder.write("in/a.html", document("Nowhere,sans-serif"))
            try folder.write("in/b.html", document("'DejaVu Sans',Nowhere"))
            let outcome = try run(["render", "in", "--out", "out", "--strict-fonts", "--json"], in: folder)
            #expect(outcome.code == 1)
            let message = "in/a.html: no installed font family is named Nowhere; install it, or embed it in the source"
            #expect(outcome.errorLines.contains("offstage: " + message))
            #expect(try outcome.objects.map { $0["status"] as? String } == ["failed", "drawn"])
            #expect(try outcome.objects[0]["error"] as? String == message)
            #expect(folder.files("out") == ["b.png"])
            #expect(try run(["render", "in", "--out", "all", "--strict"], in: folder).code == 0)
        }
    }
}
