import Testing

@testable import Offstage

/// The targets that a link in an untrusted source may have.
struct LinkTargetTests {
    private static let long = String(repeating: "é", count: 4_096)

    @Test(arguments: [
        ("https://example.org/a b", "https://example.org/a b"), (" \n img/a.png\t\u{1}", "img/a.png"),
        ("#page=5", "#page=5"),
        ("data:text/plain,html", "data:text/plain,html"), ("javascript", "javascript"), (long, long), (long + "x", nil),
        ("", nil), (" \t", nil), ("javascript:alert(1)", nil), (" \u{1}jAva\nscript:x", nil), ("JAVA\tSCRIPT\r:x", nil),
        ("VBScript:x", nil), ("data:text/html,<p>", nil), ("DATA:application/xhtml+xml;base64,AA", nil),
        ("data:image/svg+xml,x", nil),
    ]) func harmless(written: String, target: String?) { #expect(LinkTarget.harmless(written) == target) }
}
