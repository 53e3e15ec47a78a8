import Foundation
import Testing

/// Fonts with CFF outlines in PDF files: WebKit prints them as drawings without a name. Noto Sans CJK is such a font.
@Suite struct OutlineFontTests {
    private static let style = """
        <!doctype html><meta charset=utf-8>
        <style>body{margin:0;font:24px/40px 'Noto Sans CJK JP'}p{margin:0}</style>
        """

    private func tool(_ arguments: [String], in folder: Folder) throws -> String {
        let outcome = try Child(arguments, folder: folder.path).wait()
        #expect(outcome.code == 0, "\(arguments) \(outcome.error)")
        return outcome.text
    }

    /// - Returns: the output of `pdffonts`.
    private func fonts(of body: String, _ options: String..., in folder: Folder) throws -> String {
        try folder.write("a.html", Self.style + body)
        let command = ["render", "--no-cache", "a.html", "-o", "a.pdf"] + options
        let outcome = try Child([Offstage.path] + command, folder: folder.path).wait()
        #expect(outcome.code == 0, "\(outcome.error)")
        _ = try tool(["qpdf", "--check", "a.pdf"], in: folder)
        return try tool(["pdffonts", "a.pdf"], in: folder)
    }

    @Test func areListedByName() throws {
        try withFolder { folder in
            let body = "<p>Grüße 日本語の<b>太字</b> &amp; 123</p>"
            let fonts = try fonts(of: body, in: folder)
            for name in ["NotoSansCJKjp-Regular", "NotoSansCJKjp-Bold"] {
                let line = try Regex("[A-Z]{6}\\+\(name) +Type 1C +Custom +yes yes yes")
                #expect(fonts.contains(line), "\(fonts)")
            }
            #expect(!fonts.contains("Type 3"), "\(fonts)")
            let text = try tool(["pdftotext", "a.pdf", "-"], in: folder)
            #expect(text.contains("Grüße 日本語の太字 & 123"), "\(text)")
            let first = try folder.data("a.pdf")
            _ = try self.fonts(of: body, in: folder)
            #expect(try folder.data("a.pdf") == first)
        }
    }

    /// The mean difference of two pictures' pixels, from 0 to 1.
    private func difference(_ one: String, _ other: String, in folder: Folder) throws -> Double {
        let command = "convert \(one) \(other) -background white -alpha remove -compose difference -composite"
        let mean = "-colorspace gray -format %[fx:mean] info:"
        let text = try tool("\(command) \(mean)".split(separator: " ").map(String.init), in: folder)
        return try #require(Double(text))
    }

    /// Compared with what WebKit paints on the screen, where edges are smoothed differently.
    @Test func lookAsOnTheScreen() throws {
        try withFolder { folder in
            let body = "<p>Grüße 日本語 office<p style='font-size:80px;line-height:120px'>8&amp;%漢字"
            let fonts = try fonts(of: body, in: folder)
            #expect(fonts.contains("Type 1C"), "\(fonts)")
            _ = try tool(["pdftocairo", "-png", "-r", "192", "-singlefile", "a.pdf", "pdf"], in: folder)
            let options = ["--scale", "2", "--no-cache"]
            let outcome = try Child(
                [Offstage.path, "render", "a.html", "-o", "screen.png"] + options, folder: folder.path
            ).wait()
            #expect(outcome.code == 0, "\(outcome.error)")
            #expect(try inspect("pdf.png", in: folder, "%w %h") == inspect("screen.png", in: folder, "%w %h"))
            let found = try difference("pdf.png", "screen.png", in: folder)
            _ = try tool(["convert", "screen.png", "-fill", "white", "-colorize", "100", "blank.png"], in: folder)
            let letters = try difference("blank.png", "screen.png", in: folder)
            #expect(letters > 0.05 && found < letters / 10, "\(found) of \(letters)")
        }
    }

    @Test func aFontIsOneOnAllPages() throws {
        try withFolder { folder in
            let fonts = try fonts(
                of: "<p>one<p style='break-before:page'>two", "--format", "pdf:page=a6", in: folder)
            #expect(fonts.matches(of: /NotoSansCJKjp-Regular +Type 1C/).count == 1, "\(fonts)")
            #expect(!fonts.contains("Type 3"), "\(fonts)")
            for (page, word) in [("1", "one"), ("2", "two")] {
                #expect(try tool(["pdftotext", "-f", page, "-l", page, "a.pdf", "-"], in: folder).contains(word))
            }
        }
    }

    /// The font has colours, which an outline font in a PDF file cannot contain.
    @Test func emojiStayDrawings() throws {
        try withFolder { folder in
            let fonts = try fonts(of: "<p style='font-size:32px'>&#x1F7E5; 日</p>", in: folder)
            // Debian 12's WebKitGTK gives it no name.
            #expect(fonts.contains(/\n(\[none\]|[A-Z]{6}\+NotoColorEmoji) +Type 3/), "\(fonts)")
            #expect(fonts.contains("Type 1C"), "\(fonts)")
            for program in ["pdftoppm", "pdftocairo"] {
                _ = try tool([program, "-png", "-r", "96", "-singlefile", "a.pdf", "a"], in: folder)
                let red = try color("a.png", x: 18, y: 20, in: folder)
                #expect(red[0] > 180 && red[1] < 120 && red[2] < 120, "\(program): \(red)")
            }
            #expect(try tool(["pdftotext", "a.pdf", "-"], in: folder).hasPrefix("\u{1F7E5}"))
        }
    }
}
