import Foundation
import Testing

@testable import Offstage
@testable import OffstageVector

/// The text of a document: its visible letters and the characters that they mean.
@Suite struct PDFTextTests {
    @Test(
        arguments: [
            ("/F1 12 Tf <0041> Tj", "F1", [0, 0x41]),
            ("BT /F2 1 Tf [<00 41> 120 <0042>] TJ ET", "F2", [0, 0x41, 0, 0x42]),
            (#"/F (Tj) Tj /F 3 Tf (a\(b\)\101\n(c)) Tj"#, "F", [97, 40, 98, 41, 65, 10, 40, 99, 41]),
            ("/F 3 Tf % (no) Tj\n <4> Tj << /A <00> >> BDC", "F", [0x40]),
            ("/F 3 Tf 1 2 (x) \"", "F", [120]),
        ] as [(String, String, [UInt8])])
    func shownCodes(content: String, font: String, codes: [UInt8]) {
        #expect(PDFTextScanner(Data(content.utf8)).shown[font].map { [UInt8]($0) } == codes)
    }

    @Test func anImageInTheStreamMayHideLetters() {
        #expect(PDFTextScanner(Data("/F 1 Tf <41> Tj".utf8)).isWhole)
        #expect(!PDFTextScanner(Data("/F 1 Tf BI /W 1 /H 1 ID (( EI <41> Tj".utf8)).isWhole)
    }

    @Test func ofEachFontItsOwn() {
        let shown = PDFTextScanner(Data("/A 1 Tf <01> Tj /B 1 Tf <02> Tj /A 1 Tf <03> Tj".utf8)).shown
        #expect(shown == ["A": Data([1, 3]), "B": Data([2])])
    }

    @Test func whatIsCutShortIsReadAsFarAsItGoes() {
        for content in ["/F 1 Tf (abc", "/F 1 Tf <41", "/F 1 Tf (\\", "/", "<", "%", "(((", "/F 1 Tf [<41> (b"] {
            _ = PDFTextScanner(Data(content.utf8))
        }
    }

    @Test(arguments: [
        ("<4B> <2F47>", "<4B> <65E5>"), ("<01> <FB01>", "<01> <00660069>"), ("<01> <FEED>", "<01> <0648>"),
        ("<01> <0041>", "<01> <0041>"), ("<0047> <0048> <0064>", "<0047> <0048> <0064>"),
        ("<01> <03> <2F46>", "<01> <03> [<65E0> <65E5> <66F0>]"), ("6 beginbfchar", "6 beginbfchar"),
        ("<0000> <FFFF>", "<0000> <FFFF>"),
    ])
    func lettersThatPeopleType(line: String, normal: String) {
        #expect(PDFUnicode.normalized("a\n\(line)\nb") == "a\n\(normal)\nb")
    }

    @Test func namesInAnSVGFileAreNumberedByTheirPlace() {
        let file =
            ##"<g id="image81"/><use href="#image81"/><g id="surface90" x="image"><use href="#surface7"/> image5"##
        let renumbered =
            ##"<g id="image0"/><use href="#image0"/><g id="surface1" x="image"><use href="#surface2"/> image5"##
        #expect(String(decoding: SVGNames.renumbered(Data(file.utf8)), as: UTF8.self) == renumbered)
    }

    /// In painting order: upside down, beside strokes that are not underlines or highlights.
    @Test func marksByTheirColor() {
        let content = """
            q 2 0 0 -2 10 100 cm .6471 .3490 .7804 rg 0 0 20 10 re f Q
            .6471 .3451 .7804 rg 0 0 1 20 re f 0 .3451 .7 rg 0 0 9 9 re f
            .6471 .3451 .7804 rg 5 40 m 20 40 l 20 10 l 10 10 l 10 25 l 5 25 l h f 1 0 0 rg 0 0 5 5 re f
            """
        let boxes = PDFMarks(Data(content.utf8)).boxes
        #expect(boxes.keys.map(\.number).sorted() == [2, 3] && boxes.keys.allSatisfy { $0.kind == .link })
        let first = boxes[PDFMarks.Mark(kind: .link, number: 3)] ?? []
        #expect(first.map { [$0.left, $0.bottom, $0.right, $0.top] } == [[10, 80, 50, 100]])
        // Two lines of one link, after another link's box.
        let second = boxes[PDFMarks.Mark(kind: .link, number: 2)] ?? []
        #expect(
            second.map { [$0.left, $0.bottom, $0.right, $0.top] }
                == [[0, 0, 1, 20], [10, 10, 20, 25], [5, 25, 20, 40]])
    }

    @Test func charactersOfSingleCodes() {
        let map = """
            1 begincodespacerange
            <00> <FF>
            endcodespacerange
            1 beginbfchar
            <C4> <D83DDE00>
            endbfchar
            1 beginbfrange
            <10> <12> <D83DDE00>
            endbfrange
            """
        #expect(
            PDFEmoji.characters(in: map) == [
                0xC4: "D83DDE00", 0x10: "D83DDE00", 0x11: "D83DDE01", 0x12: "D83DDE02",
            ])
    }

    @Test(arguments: [
        ("/BM /Multiply", true), ("/BM /Normal\n/BM /Normal", false), ("/S /Alpha", true), ("/ShadingType 1", true),
        ("/ShadingType 2 /Bounds [.2 .4 .6 .8]", false), ("/Bounds [.2 .20001 .6]", false),
        ("/Bounds [.2 .20001 .6 .60001]", true), ("/S /Transparency", false),
    ])
    func whatCairoWritesWrongly(document: String, needsPixels: Bool) {
        #expect(VectorImage.needsPixelsInSVG(Data(document.utf8)) == needsPixels)
    }
}
