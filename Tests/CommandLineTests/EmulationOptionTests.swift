import Foundation
import Testing

/// The effect of the emulation options, style sheets and scripts on a picture.
@Suite struct EmulationOptionTests {
    /// A box that is red if the style applies.
    private func page(_ style: String, _ rest: String = "") -> String {
        "<!doctype html><meta charset=utf-8><style>body{margin:0}div{height:10px}\(style)</style><div></div>\(rest)"
    }

    private func isRed(_ html: String, _ options: String..., files: [String: String] = [:]) throws -> Bool {
        try withFolder { folder in
            try folder.write("a.html", html)
            for (name, text) in files { try folder.write(name, text) }
            let run = try Child([Offstage.path, "render", "a.html", "-o", "a.png"] + options, folder: folder.path)
                .wait()
            #expect(run.code == 0, "\(run.error)")
            return try folder.picture("a.png")[5, 5] == [255, 0, 0, 255]
        }
    }

    @Test(arguments: [
        ("@media (prefers-color-scheme:dark)", "--color-scheme=dark"), ("@media print", "--media=print"),
        ("@media (prefers-reduced-motion:no-preference)", "--motion=no-preference"),
        ("@media (prefers-contrast:more)", "--contrast=more"),
    ])
    func mediaFeatures(rule: String, option: String) throws {
        let html = page("\(rule){div{background:red}}")
        #expect(try !isRed(html))
        #expect(try isRed(html, option))
    }

    @Test func language() throws {
        let html = page(":lang(de) div{background:red}")
        #expect(try !isRed(html))
        #expect(try isRed(html, "--language", "de-AT"))
    }

    @Test func fonts() throws {
        let html = "<!doctype html><meta charset=utf-8><body style='margin:0'><p style='margin:0'>word"
        func height(_ options: String...) throws -> Int {
            try withFolder { folder in
                try folder.write("a.html", html)
                let run = try Child(
                    [Offstage.path, "render", "a.html", "-o", "a.png"] + options, folder: folder.path
                ).wait()
                #expect(run.code == 0, "\(run.error)")
                return try folder.picture("a.png").height
            }
        }
        let plain = try height()
        #expect(try height("--font-size", "40") > 2 * plain)
        #expect(try height("--min-font-size", "40") > 2 * plain)
        #expect(try height("--font-family", "DejaVu Serif") != plain)
    }

    @Test func styleSheets() throws {
        let files = ["a.css": "div{background:blue}", "b.css": "\u{FEFF}div{background:red}"]
        #expect(try !isRed(page(""), "--css", "b.css", "--css", "a.css", files: files))
        #expect(try isRed(page(""), "--css", "a.css", "--css", "b.css", files: files))
    }

    @Test func scripts() throws {
        let html = page(
            "", "<script>if(new Date(0).getHours()==9)document.querySelector('div').style.background='red'</script>")
        #expect(try !isRed(html))
        #expect(try !isRed(html, "--javascript"))
        #expect(try isRed(html, "--javascript", "--time-zone", "Asia/Tokyo"))
    }

    @Test func whatAScriptSaysIsInTheResults() throws {
        try withFolder { folder in
            try folder.write("a.html", page("", "<script>console.log('hello')</script>"))
            try folder.write("b.html", page("", "<script src=b.js></script>"))
            try folder.write("b.js", "\nnothing()")
            let run = try Offstage.run(
                "render", "a.html", "b.html", "--out", "out", "--javascript", "--json", in: folder)
            #expect(run.code == 0)
            let objects = try run.objects
            #expect(objects.map { $0["status"] as? String } == ["drawn", "incomplete"])
            let warnings = objects.map { ($0["warnings"] as? [[String: String]])?.first }
            #expect(
                warnings[0] == [
                    "code": "console-message", "subject": "log", "reason": "hello", "message": "console, log (hello)",
                ])
            #expect(warnings[1]?["code"] == "script-error")
            #expect(warnings[1]?["subject"] == "b.js, line 2")
        }
    }

    @Test(arguments: [
        (["--color-scheme=pink"], "--color-scheme takes light or dark, not 'pink'"),
        (["--media=tv"], "--media takes screen or print, not 'tv'"),
        (["--motion=fast"], "--motion takes reduce or no-preference, not 'fast'"),
        (["--contrast=less"], "--contrast takes no-preference or more, not 'less'"),
        (["--language=de_DE"], "--language takes a language tag such as de or zh-TW, not 'de_DE'"),
        (["--time-zone=Moon"], "--time-zone takes a zone such as UTC or Europe/Vienna, not 'Moon'"),
        (["--font-family="], "--font-family needs the name of a font family"),
        (["--font-size=0"], "--font-size takes a whole number from 1 to 1000, not '0'"),
        (["--min-font-size=x"], "--min-font-size takes a whole number from 0 to 1000, not 'x'"),
        (["--css=none.css"], "--css: cannot read none.css: No such file or directory"),
        (["--css=latin.css"], "--css: latin.css is not UTF-8; save it as UTF-8"),
    ])
    func wrongUse(options: [String], message: String) throws {
        try withFolder { folder in
            try folder.write("a.html", page(""))
            try folder.write("latin.css", Data([0x64, 0xE9]))
            let run = try Child([Offstage.path, "render", "a.html", "--out", "out"] + options, folder: folder.path)
                .wait()
            #expect(run.code == 2)
            #expect(run.errorLines == ["offstage: \(message)"])
            #expect(folder.files("out").isEmpty)
        }
    }
}
