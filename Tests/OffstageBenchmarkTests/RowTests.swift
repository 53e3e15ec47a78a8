import Benchmarking
import Foundation
import SeededRandom
import Testing

@Suite struct RowTests {
    private static let html = """
        <!doctype html><!-- 1 < 2 --><title>Chat</title>
        <style>@font-face { font-family: Inter; src: url(a.woff2) } b { font: 14px Inter; width: 33px }</style>
        <b title="a > b 77" style='width: 9px'>Gate 12 at noon</b><pre>  let a
            = 5</pre><p>電車が遅れています &amp; more &#8594;

        """

    private static func row(_ number: Int, seed: UInt64 = 1) -> String {
        var generator = SeededGenerator(seed: seed)
        return RowTemplate(name: "a", html: html).row(number, using: &generator)
    }

    @Test func theSameSeedGivesTheSameRow() {
        #expect(Self.row(3) == Self.row(3))
        #expect(Self.row(3, seed: 2) != Self.row(3, seed: 1))
    }

    @Test func noTwoRowsAreTheSame() throws {
        var rows: [String: String] = [:]
        RowKinds.rows(of: [RowTemplate(name: "a", html: "<title>A</title>b")], count: 300) { rows[$0] = $1 }
        #expect(rows.count == 300)
        #expect(Set(rows.values).count == 300)
        #expect(rows["000299-a.html"]?.contains("A 299</title>") == true)
    }

    @Test func markupAndStylesStay() {
        let row = Self.row(7)
        #expect(row.contains("<!-- 1 < 2 --><title>Chat 7</title>"))
        #expect(row.contains("b { font: 14px Inter; width: 33px }</style>"))
        #expect(row.contains("<b title=\"a > b 77\" style='width: 9px'>"))
        #expect(row.contains("&amp;") && row.contains("&#8594;"))
    }

    @Test func textsKeepTheirLetters() {
        func letters(_ text: String) -> [Character] { text.filter { !$0.isNumber }.sorted() }
        #expect(letters(Self.row(7)) == letters(Self.html + " "))
        // White space is significant in code.
        #expect(Self.row(7).contains("\n    "))
        #expect(Self.row(7).contains("<pre>  "))
    }

    @Test func systemFontsReplaceThoseThatRowsBring() {
        let plain = RowTemplate(name: "a", html: Self.html).withSystemFonts.html
        #expect(!plain.contains("@font-face") && !plain.contains("Inter"))
        #expect(plain.contains("b { font: 14px sans-serif; width: 33px }"))
        #expect(plain.contains("Gate 12 at noon"))
    }

    @Test func theProjectHasTheRows() throws {
        let snippets = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Snippets")
        for name in RowKinds.names {
            let html = try String(contentsOf: snippets.appendingPathComponent(name + ".html"), encoding: .utf8)
            var generator = SeededGenerator(seed: 1)
            let template = RowTemplate(name: name, html: html)
            #expect(template.row(1, using: &generator) != template.row(1, using: &generator), "\(name)")
            #expect(!template.withSystemFonts.html.contains(".woff"), "\(name)")
        }
    }

    @Test func reportsHaveTheirLines() {
        let report = MadeDocument.report(rows: 40, seed: 1)
        #expect(report.components(separatedBy: "<tr><td>").count == 41)
        #expect(report != MadeDocument.report(rows: 40, seed: 2))
    }
}
