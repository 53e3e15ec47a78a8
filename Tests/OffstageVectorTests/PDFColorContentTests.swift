import Foundation
import Testing

@testable import OffstageVector

/// Content is rewritten only if the position of each glyph is certain; otherwise an emoji could be lost or misplaced.
@Suite struct PDFColorContentTests {
    @Test func aContentWithoutColouredGlyphsStaysAsItIs() throws {
        let content = "q BT /F1 12 Tf 1 0 0 1 2 3 Tm <41> Tj 4 5 Td [<42> 120 <43>] TJ ET Q 0 0 1 1 re f"
        let new = try #require(PDFColorContent(Data(content.utf8), [:]))
        #expect(String(decoding: new.bytes, as: UTF8.self) == content && new.pictures.isEmpty)
    }

    @Test(arguments: [
        "/F1 12 Tf BT <41> Tj ET", "BT /F1 12 Tf <41> Tj ET q BT <41> Tj ET Q", "BT /F1 12 Tf 2 Tr <41> Tj ET",
        "2 Tc BT /F1 12 Tf <41> Tj ET", "BT /F1 12 Tf 3 Ts <41> Tj ET", "BT /F1 12 Tf 1 0 0 rg <41> Tj ET",
        "BT /F1 12 Tf (a) ' ET", "BT /F1 12 Tf T* <41> Tj ET", "BT 12 Tf <41> Tj ET",
        "BI /W 1 ID x EI BT /F1 12 Tf <41> Tj ET",
        "BT BT /F1 1 Tf ET",
    ]) func whatIsUncertainIsRefused(content: String) {
        #expect(PDFColorContent(Data(content.utf8), [:]) == nil)
    }
}
