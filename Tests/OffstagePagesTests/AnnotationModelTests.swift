import Foundation
import Testing

@testable import OffstagePages

/// Annotations in the file beside a document, in the formats of all versions.
struct AnnotationModelTests {
    private static let part = PagePart(x: 0.25, y: 0.25, width: 0.5, height: 0.125)

    private static func file(_ annotations: PageAnnotation...) -> AnnotationFile {
        var file = AnnotationFile()
        for annotation in annotations { file.add(annotation, page: 2) }
        return file
    }

    private static func json(_ file: AnnotationFile) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return String(decoding: try encoder.encode(file), as: UTF8.self)
    }

    /// A file of the first version can be read, and an annotation without new properties is written as it was then.
    @Test func aFileOfTheFirstVersionStaysAsItIs() throws {
        let old = #"""
            {"pages":{"2":[{"color":{"blue":0,"green":0,"red":255},"kind":"ink","marks":[],"part":{"height":0,"width":0,"x":0.5,"y":0.5},\
            "strokes":[[{"x":0.5,"y":0.5}]],"text":"","width":2}]},"version":1}
            """#.replacing("\\\n", with: "")
        let file = try JSONDecoder().decode(AnnotationFile.self, from: Data(old.utf8))
        let dot = PageAnnotation.ink([[.init(x: 0.5, y: 0.5)]], color: .init(red: 255, green: 0, blue: 0), width: 2)!
        #expect(file == Self.file(dot))
        #expect(try Self.json(file) == old)
    }

    @Test func everythingIsWrittenAndReadAgain() throws {
        var text = PageAnnotation.text(.freeText, "Words", at: Self.part, color: .init(red: 0, green: 0, blue: 200))!
        (text.identifier, text.author, text.opacity) = ("a-1", "Anna", 0.5)
        text.modified = Date(timeIntervalSince1970: 1_700_000_000)
        (text.fontSize, text.fontFamily, text.alignment) = (18, "serif", .center)
        (text.fill, text.borderWidth) = (.init(red: 255, green: 255, blue: 240), 2)
        var fine = text
        fine.identifier = "a-2"
        fine.modified = Date(timeIntervalSince1970: 1_700_000_000.25)
        let points = [PageAnnotation.Point(x: 0.1, y: 0.2), .init(x: 0.9, y: 0.4)]
        var file = Self.file(
            text, fine, .shape(.circle, at: Self.part, width: 3, fill: text.fill)!, .line(.line, points)!,
            .mark(.squiggly, [Self.part])!)
        file.removed = [1: ["object-12-0", "b"]]
        let json = try Self.json(file)
        #expect(
            json.contains(#""modified":"2023-11-14T22:13:20Z""#)
                && json.contains(#""removed":{"1":["object-12-0","b"]}"#))
        #expect(try JSONDecoder().decode(AnnotationFile.self, from: Data(json.utf8)) == file)
    }

    /// A person or program that writes the file needs only the kind and the position.
    @Test func whatAFileLeavesOutHasItsDefault() throws {
        let json =
            #"{"version":1,"pages":{"2":[{"kind":"square","part":{"x":0.25,"y":0.25,"width":0.5,"height":0.125}}]}}"#
        let file = try JSONDecoder().decode(AnnotationFile.self, from: Data(json.utf8))
        #expect(file == Self.file(.shape(.square, at: Self.part)!))
        let wrong = json.replacing("}]}}", with: #","modified":"yesterday"}]}}"#)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(AnnotationFile.self, from: Data(wrong.utf8)) }
        let empty = try JSONDecoder().decode(AnnotationFile.self, from: Data(#"{"version":1}"#.utf8))
        #expect(empty == AnnotationFile())
        let other = Data(#"{"version":1,"annotations":[]}"#.utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(AnnotationFile.self, from: other) }
    }

    /// The error names the location and the valid values, but none of the content.
    @Test(arguments: [
        (#""opacity": 7"#, "pages.1[0].opacity is not a number from 0.0 to 1.0"),
        (#""opacity": -1"#, "pages.1[0].opacity is not a number from 0.0 to 1.0"),
        (#""width": -5"#, "pages.1[0].width is not a number from 0.0 to 1000.0"),
        (#""fontSize": 0"#, "pages.1[0].fontSize is not a number from 0.1 to 1000.0"),
        (#""borderWidth": 1001"#, "pages.1[0].borderWidth is not a number from 0.0 to 1000.0"),
        (#""color": {"red": 300, "green": 0, "blue": 0}"#, "pages.1[0].color.red is not a whole number from 0 to 255"),
        (#""fill": {"red": 0, "green": 0, "blue": -1}"#, "pages.1[0].fill.blue is not a whole number from 0 to 255"),
        (#""color": {"red": 1.5, "green": 0, "blue": 0}"#, "pages.1[0].color.red is not a whole number from 0 to 255"),
        (#""strokes": [[{"x": 1e300, "y": 0}]]"#, "pages.1[0].strokes has a point that is not near the page"),
        (
            #""marks": [{"x": 0, "y": 0, "width": -1, "height": 1}]"#,
            "pages.1[0].marks has a rectangle that is not near the page"
        ),
        (#""modified": "99999-01-01T00:00:00Z""#, "pages.1[0].modified is not a time in the form of ISO 8601"),
        (
            #""pen": {"widths": [], "opacity": 256, "isHighlighter": false}"#,
            "pages.1[0].pen.opacity is not a whole number from 0 to 255"
        ),
        (
            #""pen": {"widths": [[-1]], "opacity": 5, "isHighlighter": false}"#,
            "pages.1[0].pen.widths has a number that is not from 0 to 1000"
        ),
        (#""modified": "secret""#, "pages.1[0].modified is not a time in the form of ISO 8601"),
        (
            #""identifier": "secret\u0000""#,
            "pages.1[0].identifier is not a name of at most 1000 characters without control characters"
        ),
        (
            #""identifier": "secret"}, {"kind": "note", "part": {"x":0,"y":0,"width":1,"height":1}, "identifier": "secret""#,
            "pages has two annotations with the same identifier on page 1"
        ),
    ])
    func aWrongValueIsNamed(entry: String, fault: String) {
        let part = #""part": {"x":0,"y":0,"width":1,"height":1}"#
        let json = #"{"version":1,"pages":{"1":[{"kind":"ink","# + part + ", " + entry + "}]}}"
        #expect(throws: AnnotationFile.Problem.malformed(path: "notes.json", fault: fault)) {
            try AnnotationFile(Data(json.utf8), path: "notes.json")
        }
    }

    @Test(arguments: ["+1", "01", "one", "1.0"]) func aKeyThatIsNoPageIsNamed(key: String) {
        for list in ["pages", "removed"] {
            let fault = "\(list) has a key that is not the number of a page"
            #expect(throws: AnnotationFile.Problem.malformed(path: "notes.json", fault: fault)) {
                try AnnotationFile(Data(#"{"version":1,"\#(list)":{"\#(key)":[]}}"#.utf8), path: "notes.json")
            }
        }
    }

    @Test func annotationsThatCannotBeMade() {
        let point = PageAnnotation.Point(x: 0.5, y: 0.5)
        #expect(PageAnnotation.line(.line, [point]) == nil && PageAnnotation.line(.ink, [point, point]) == nil)
        #expect(PageAnnotation.line(.polygon, [point]) == nil && PageAnnotation.line(.polyLine, [point, point]) != nil)
        #expect(PageAnnotation.shape(.line, at: Self.part) == nil && PageAnnotation.mark(.square, [Self.part]) == nil)
        // Text is black, and a note's symbol is yellow.
        #expect(PageAnnotation.text(.freeText, "x", at: Self.part)?.color == .init(red: 0, green: 0, blue: 0))
        #expect(PageAnnotation.text(.note, "x", at: Self.part)?.color == .init(red: 255, green: 220, blue: 0))
    }
}
