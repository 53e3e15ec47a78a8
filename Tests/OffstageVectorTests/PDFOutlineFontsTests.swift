import Foundation
import Testing

@testable import Offstage
@testable import OffstageVector

/// Fonts that consist of drawings either become named fonts or stay unchanged, without a visible difference.
@Suite struct PDFOutlineFontsTests {
    private let ring = (name: "g12", procedure: DrawnFontSample.ring)
    private let drop = (name: "g13", procedure: DrawnFontSample.drop)
    private let coloured = (name: "g14", procedure: "600 0 d0 1 0 0 rg 0 0 500 -500 re f")

    /// Fonts by their names in the form's resources.
    private func fonts(_ sample: DrawnFontSample) throws -> (document: PDFDocument, fonts: [PDFDocument.Object]) {
        let document = try PDFDocument(PDFEncoder().encode(sample.image))
        let form = document[document[document[document.page(0), "Resources"], "XObject"], "Drawing"]
        let fonts = document[document[form, "Resources"], "Font"]
        return (document, sample.fonts.indices.map { document[fonts, "F\($0)"] })
    }

    private func subtypes(_ sample: DrawnFontSample) throws -> [String?] {
        let (document, fonts) = try fonts(sample)
        return fonts.map { document.name(document[$0, "Subtype"]) }
    }

    @Test func aFontWithItsNameWidthsAndProgram() throws {
        let unused = (name: "g99", procedure: DrawnFontSample.ring)
        let sample = DrawnFontSample(
            fonts: [.init(glyphs: [unused, ring, drop, unused])], content: "BT /F0 30 Tf 5 10 Td <0203> Tj ET")
        let (document, fonts) = try fonts(sample)
        let font = fonts[0]
        #expect(document.name(document[font, "Subtype"]) == "Type1")
        let name = try #require(document.name(document[font, "BaseFont"]))
        #expect(name.wholeMatch(of: /[A-Z]{6}\+Sample-Regular/) != nil && name != "AAAAAA+Sample-Regular", "\(name)")
        #expect(document.integer(document[font, "FirstChar"]) == 2 && document.integer(document[font, "LastChar"]) == 3)
        #expect(document.numbers(of: document[font, "Widths"]) == [600, 700])
        #expect(document.isNull(document[font, "CharProcs"]) && document.isNull(document[font, "FontMatrix"]))
        let differences = document[document[font, "Encoding"], "Differences"]
        #expect(String(decoding: document.notation(of: differences), as: UTF8.self) == "[ 2 /g12 /g13 ]")

        let descriptor = document[font, "FontDescriptor"]
        #expect(document.name(document[descriptor, "FontName"]) == name)
        #expect(document.numbers(of: document[descriptor, "FontBBox"]) == [50, 0, 651, 700])
        let numbers = ["Ascent", "Descent", "CapHeight", "StemV", "Flags", "ItalicAngle"].map {
            document.integer(document[descriptor, $0])
        }
        #expect(numbers == [700, 0, 650, 90, 4, 0])
        let file = document[descriptor, "FontFile3"]
        #expect(document.name(document[file, "Subtype"]) == "Type1C")
        let program = String(decoding: try #require(document.content(of: file)), as: UTF8.self)
        #expect(program.contains(name) && program.contains("g12g13") && !program.contains("g99"))
    }

    /// A font with 2048 units per em, as in TrueType variable fonts.
    @Test func widthsAreThousandths() throws {
        let font = DrawnFontSample.Font(
            matrix: "[.00048828125 0 0 -.00048828125 0 0]",
            glyphs: [("g1", "1024 0 0 0 0 0 d1 0 0 m 2048 0 l 2048 -1024 l h f")])
        let (document, fonts) = try fonts(DrawnFontSample(fonts: [font], content: "BT /F0 30 Tf <01> Tj ET"))
        #expect(document.numbers(of: document[fonts[0], "Widths"]) == [500])
        let box = document[document[fonts[0], "FontDescriptor"], "FontBBox"]
        #expect(document.numbers(of: box) == [0, 0, 1000, 500])
    }

    /// Glyphs upside down and upright, with fractions, a hole, two scales, a slant and a colour, at 4 device px per
    /// point.
    @Test func thePictureIsTheSame() throws {
        let upright = DrawnFontSample.Font(
            matrix: "[.001 0 0 .001 0 0]", glyphs: [("g1", "500 0 d0 0 0 300.5 500 re f"), ("g2", "500 0 0 0 0 0 d1")])
        let large = DrawnFontSample.Font(
            matrix: "[.00048828125 0 0 -.00048828125 0 0]",
            glyphs: [("g3", "1024 0 0 0 0 0 d1 q .5 0 0 .5 10 0 cm 0 0 m 2048 0 l 1000 -1024 2048 -2048 v h f Q")],
            descriptor: 1)
        let sample = DrawnFontSample(
            fonts: [.init(glyphs: [ring, drop]), upright, large],
            content: """
                0 .5 0 rg BT /F0 20 Tf 1 0 .2 1 4 20 Tm <0102> Tj -100 Tz [<01> 200 <02>] TJ ET
                BT 100 Tz /F1 20 Tf 1 0 0 1 4 2 Tm <0102> Tj <01> Tj /F2 20 Tf <01> Tj ET
                """, names: ["AAAAAA+Sample-Regular", "BAAAAA+Other"])
        #expect(try subtypes(sample) == ["Type1", "Type1", "Type1"])
        let drawn = try PDFToCairo(document: sample.image.firstPage()).pixmap(scale: 4, isOpaque: true)
        let points = Paper.pointsPerCSSPixel
        let page = VectorImage.Page(
            pointsPerPixel: points, window: VectorImage.Window(x: 0, y: 0, width: 80, height: 40))
        let file = try PDFEncoder().encode(sample.image)
        let written = try PDFToCairo(document: VectorImage(document: file, pages: [page]).firstPage())
            .pixmap(scale: 4, isOpaque: true)
        #expect(drawn.size == written.size && drawn.size == PixelSize(width: 320, height: 160))
        var (differences, inked) = ([Int](), 0)
        for row in 0..<160 {
            let (one, other) = (drawn.withRow(row) { Array($0[..<1280]) }, written.withRow(row) { Array($0[..<1280]) })
            differences += zip(one, other).map { abs(Int($0) - Int($1)) }
            inked += one.count { $0 < 100 }
        }
        #expect(inked > 5000, "\(inked)")
        // Another painter smooths the edges differently.
        let most = differences.max() ?? 0
        #expect(most < 100 && differences.reduce(0, +) < differences.count / 2, "\(most)")
    }

    @Test func fontsOfATypefaceShareAProgramUnlessANameMeansTwoGlyphs() throws {
        let bold = (name: "g12", procedure: DrawnFontSample.drop)
        let sample = DrawnFontSample(
            fonts: [
                .init(glyphs: [ring]), .init(glyphs: [drop]), .init(glyphs: [bold]),
                .init(glyphs: [ring], descriptor: 1),
            ],
            content: "BT /F0 9 Tf <01> Tj /F1 9 Tf <01> Tj /F2 9 Tf <01> Tj /F3 9 Tf <01> Tj ET",
            names: ["AAAAAA+Sample-Regular", "Other-Regular"])
        let (document, fonts) = try fonts(sample)
        let names = fonts.map { document.name(document[$0, "BaseFont"]) ?? "" }
        #expect(names[0] == names[1] && Set(names).count == 3, "\(names)")
        let files = fonts.map { document.number(of: document[document[$0, "FontDescriptor"], "FontFile3"]) }
        #expect(files[0] == files[1] && Set(files).count == 3, "\(files)")
        #expect(names[3].hasSuffix("+Other-Regular"))
    }

    /// Glyphs that are not used do not count.
    @Test func whatIsMoreThanOutlinesStays() throws {
        let shows = "BT /F0 9 Tf <01> Tj ET"
        let fonts: [(DrawnFontSample.Font, isOutlines: Bool)] = [
            (.init(glyphs: [coloured, ring]), false), (.init(glyphs: [ring, coloured]), true),
            (.init(glyphs: [("g1", "500 0 d0 0 0 m 9 9 l 9 0 l f*")]), false),
            (.init(glyphs: [ring], descriptor: nil), false),
            (.init(matrix: "[.001 0 .1 .001 0 0]", glyphs: [ring]), false),
            (.init(matrix: "[1 0 0 1 0 0]", glyphs: [ring]), false),
            (.init(glyphs: [(".notdef", ring.procedure)]), false),
            (.init(glyphs: [("a#20b", ring.procedure)]), false), (.init(glyphs: []), false),
        ]
        for (font, isOutlines) in fonts {
            let sample = DrawnFontSample(fonts: [font], content: shows)
            #expect(try subtypes(sample) == [isOutlines ? "Type1" : "Type3"], "\(font)")
        }
    }

    /// Glyph drawings are always filled, whatever the text rendering mode is.
    @Test func lettersThatAreNotFilledStay() throws {
        let font = DrawnFontSample.Font(glyphs: [ring])
        let outlined = DrawnFontSample(fonts: [font], content: "BT /F0 9 Tf 1 Tr <01> Tj ET")
        #expect(try subtypes(outlined) == ["Type3"])
        let filled = DrawnFontSample(fonts: [font], content: "BT /F0 9 Tf 0 Tr <01> Tj ET")
        #expect(try subtypes(filled) == ["Type1"])
    }

    @Test func aNameOfAnyLettersAndTheSameBytes() throws {
        let sample = DrawnFontSample(
            fonts: [.init(glyphs: [ring])], content: "BT /F0 9 Tf <01> Tj ET", names: ["AAAAAA+My#20Font#2fB#28#c3#a4"])
        let (document, fonts) = try fonts(sample)
        let name = document.name(document[fonts[0], "BaseFont"]) ?? ""
        #expect(name.hasSuffix("+MyFontB"), "\(name)")
        #expect(try PDFEncoder().encode(sample.image) == PDFEncoder().encode(sample.image))
    }
}
