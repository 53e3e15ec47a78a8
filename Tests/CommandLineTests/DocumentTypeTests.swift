import Foundation
import Testing

/// SVG and XHTML: by the file's extension, `--type`, a row's key, and HTTP's Content-Type.
@Suite struct DocumentTypeTests {
    private let svg = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 10"><rect width="40" height="10" fill="red"/>
        <image href="dot.png" width="10" height="10"/></svg>
        """
    private let xhtml = """
        <html xmlns="http://www.w3.org/1999/xhtml"><body style="margin:0"><div style="height:20px;background:blue"/>
        <p style="margin:0;height:7px"><![CDATA[<b>]]></p></body></html>
        """

    private func write(_ folder: Folder) throws {
        try folder.write("a.svg", svg)
        try folder.write("dot.png", MachineTests.png)
        try folder.write(
            "sized.SVG",
            "<svg xmlns='http://www.w3.org/2000/svg' width='30' height='12'><rect width='9' height='9'/></svg>")
        try folder.write("page.xhtml", "<?xml version='1.0'?>" + xhtml)
        try folder.write("page.html", xhtml)
    }

    /// The picture's height follows from the proportions, and it shows the files beside the document.
    @Test func byTheExtension() throws {
        try withFolder { folder in
            try write(folder)
            let outcome = try Offstage.run(
                "render", "a.svg", "sized.SVG", "page.xhtml", "--out", "out", "--width", "80", "--strict", in: folder)
            #expect(outcome.code == 0, "\(outcome.error)")
            let picture = try folder.picture("out/a.png")
            #expect(picture.size == [80, 20])
            #expect(picture[79, 19] == [255, 0, 0, 255])
            #expect(picture[0, 0] != [255, 0, 0, 255], "the image beside it")
            #expect(try folder.picture("out/sized.png").size == [80, 32])
            #expect(try folder.picture("out/page.png").size.count == 2)
        }
    }

    /// Elements of unknown XML have no default style. Measuring, printing and tiling must work without one.
    @Test(arguments: ["png", "pdf", "svg"])
    func unknownXML(format: String) throws {
        try withFolder { folder in
            let lines = String(repeating: "<p xmlns='http://www.w3.org/1999/xhtml'>Line</p>", count: 400)
            try folder.write("short.xml", "<data>Hello <b>there</b></data>")
            try folder.write("tall.xml", "<data>\(lines)</data>")
            for (name, width) in [("short.xml", "fit"), ("short.xml", "100"), ("tall.xml", "200")] {
                let outcome = try Offstage.run(
                    "render", name, "-o", "a.\(format)", "--type", "xhtml", "--width", width, "--no-cache", in: folder)
                #expect(outcome.code == 0, "\(name) at \(width): \(outcome.error)")
            }
        }
    }

    @Test func xhtmlIsXML() throws {
        try withFolder { folder in
            try write(folder)
            func height(_ arguments: String...) throws -> Int {
                let outcome = try Child(
                    [Offstage.path, "render", "-o", "a.png", "--strict"] + arguments, folder: folder.path
                ).wait()
                #expect(outcome.code == 0, "\(outcome.error)")
                return try folder.picture("a.png").size[1]
            }
            // HTML reads `<div/>` as a start tag.
            #expect(try height("page.xhtml") == 42)
            #expect(try height("page.html") != 42)
            #expect(try height("page.html", "--type", "xhtml") == 42)
            #expect(try height("page.xhtml", "--type", "html") == height("page.html"))
            #expect(try height("page.xhtml", "--fragment") == 42)
        }
    }

    @Test func errorsAreNamedWithTheirPlace() throws {
        try withFolder { folder in
            try folder.write("in/a.xhtml", "<html xmlns='http://www.w3.org/1999/xhtml'>\n<body><p>one</body></html>")
            try folder.write("in/b.svg", "<svg xmlns='http://www.w3.org/2000/svg' height='9'>\n<rect &nbsp;/></svg>")
            try folder.write("in/c.svg", "no XML")
            try folder.write("good.html", row())
            let outcome = try Offstage.run(
                "render", "in/a.xhtml", "in/b.svg", "in/c.svg", "good.html", "--out", "out", "-q", in: folder)
            #expect(outcome.code == 1)
            #expect(folder.files("out") == ["good.png"])
            let lines = outcome.errorLines
            #expect(lines.count == 3)
            #expect(
                lines[0].hasPrefix(
                    "offstage: in/a.xhtml: XML error in line 2, column 20: an end tag does not match the start tag before it"
                ))
            #expect(lines[1].hasPrefix("offstage: in/b.svg: XML error in line 2, column 7: "))
            #expect(lines[2].hasPrefix("offstage: in/c.svg: XML error in line 1, column 1: "))
            #expect(lines.allSatisfy { $0.hasSuffix("; correct it, or render it as HTML") })
        }
    }

    @Test func standardInputAndRows() throws {
        try withFolder { folder in
            try write(folder)
            let outcome = try Offstage.run(
                "render", "-", "--type", "svg", "-o", "a.png", "--width", "80", stdin: Data(svg.utf8), in: folder)
            #expect(outcome.code == 0, "\(outcome.error)")
            #expect(try folder.picture("a.png").size == [80, 20])
            let text = try #require(String(data: JSONSerialization.data(withJSONObject: [svg]), encoding: .utf8))
                .dropFirst().dropLast()
            try folder.write(
                "rows.jsonl",
                #"{"identifier":"one","file":"a.svg"}"# + "\n"
                    + #"{"identifier":"two","html":\#(text),"type":"svg"}"# + "\n"
                    + #"{"identifier":"three","html":"x","type":"pdf"}"# + "\n")
            let rows = try Offstage.run(
                "render", "--manifest", "rows.jsonl", "--out", "rows", "--width", "80", in: folder)
            #expect(rows.code == 2)
            #expect(rows.error.contains("\"type\""))
            try folder.write(
                "rows.jsonl",
                #"{"identifier":"one","file":"a.svg"}"# + "\n" + #"{"identifier":"two","html":\#(text),"type":"svg"}"#
                    + "\n")
            #expect(
                try Offstage.run("render", "--manifest", "rows.jsonl", "--out", "rows", "--width", "80", in: folder)
                    .code == 0)
            #expect(try folder.picture("rows/one.png").size == [80, 20])
            #expect(try folder.picture("rows/two.png").size == [80, 20])
        }
    }

    @Test func overHTTP() throws {
        try withFolder { folder in
            let service = try Service(in: folder)
            let plain = svg.replacing(/<image.*\/>/, with: "")
            let answer = try service.draw(plain, "width=80", ["Content-Type": "image/svg+xml"])
            #expect(answer.status == 200, "\(answer.text)")
            #expect(try answer.picture.size == [80, 20])
            #expect(try service.draw(xhtml, "", ["Content-Type": "application/xhtml+xml"]).picture.size[1] == 42)
            let broken = try service.draw("<p>", "", ["Content-Type": "application/xhtml+xml"])
            #expect(broken.status == 422)
            #expect(broken.code == "not-well-formed")
            #expect(try service.draw(plain, "type=svg&width=80").picture.size == [80, 20])
        }
    }

    /// Scripts and entities of XML documents cannot do what the policy forbids in HTML.
    @Test func strangersXML() throws {
        try withFolder { folder in
            try folder.write("secret.txt", "<rect width='400' height='400' fill='lime'/>")
            let paint = "document.documentElement.setAttribute('style', 'background:lime')"
            try folder.write(
                "in/a.svg",
                """
                <!DOCTYPE svg [<!ENTITY x SYSTEM "../secret.txt">]>
                <svg xmlns='http://www.w3.org/2000/svg' height='40' onload="\(paint)"><script>\(paint)</script>&x;
                <foreignObject width='9' height='9'><b xmlns='http://www.w3.org/1999/xhtml'><script>\(paint)</script></b></foreignObject></svg>
                """)
            let laughs = (1...9).map { "<!ENTITY e\($0) '\(String(repeating: "&e\($0 - 1);", count: 10))'>" }.joined()
            try folder.write(
                "in/b.xhtml",
                "<!DOCTYPE html [<!ENTITY e0 'ha'>\(laughs)]><html xmlns='http://www.w3.org/1999/xhtml'><body>&e9;</body></html>"
            )
            try folder.write("good.html", row())
            let outcome = try Offstage.run(
                "render", "in/a.svg", "in/b.xhtml", "good.html", "--out", "out", "-q", in: folder)
            #expect(outcome.code == 1)
            #expect(folder.files("out") == ["a.png", "good.png"])
            #expect(try folder.picture("out/a.png").count(of: [0, 255, 0, 255]) == 0)
            #expect(
                outcome.error.contains(
                    "in/b.xhtml: XML error: its entities and default attributes expand to more than"))
        }
    }

    /// Documents whose entities expand exponentially are refused before any process receives them; others are drawn.
    @Test func entitiesThatMultiply() throws {
        func xhtml(_ levels: Int) -> String {
            let laughs = (1..<levels).map { "<!ENTITY e\($0) '\(String(repeating: "&e\($0 - 1);", count: 10))'>" }
                .joined()
            return "<!DOCTYPE html [<!ENTITY e0 'aaaaaaaaaa'>\(laughs)]><html xmlns='http://www.w3.org/1999/xhtml'>"
                + "<body><p>&e\(levels - 1);</p></body></html>"
        }
        let many = String(repeating: "&a;", count: 3333)
        let quadratic =
            "<!DOCTYPE svg [<!ENTITY a '\(String(repeating: "a", count: 3000))'>]><svg xmlns='http://www.w3.org/2000/svg' "
            + "width='9' height='9'><text>\(many)</text></svg>"
        try withFolder { folder in
            let service = try Service(in: folder)
            for levels in [5, 6, 8, 40] {
                let answer = try service.draw(xhtml(levels), "", ["Content-Type": "application/xhtml+xml"])
                #expect(answer.status == 422)
                #expect(answer.code == "entities-multiply")
            }
            let answer = try service.draw(quadratic, "", ["Content-Type": "image/svg+xml"])
            #expect(answer.code == "entities-multiply")
            #expect(try service.draw(xhtml(3), "", ["Content-Type": "application/xhtml+xml"]).status == 200)
            #expect(try service.metric("web_process_restarts_total") == 0)
        }
    }

    /// Documents with nested `use` elements, or images in images, are refused before any process receives them;
    /// others are drawn.
    @Test func repetitionsThatMultiply() throws {
        let namespace = "xmlns='http://www.w3.org/2000/svg'"
        func uses(_ levels: Int, _ use: (Int) -> String) -> String {
            let groups = (1..<levels).map { level in
                "<g id='u\(level)'>\(String(repeating: use(level - 1), count: 10))</g>"
            }
            return "<svg \(namespace) width='9' height='9'><defs><path id='u0'/>\(groups.joined())</defs>"
                + "\(use(levels - 1))</svg>"
        }
        func images(_ levels: Int, _ isPacked: Bool) -> String {
            var image = "<svg \(namespace) width='9' height='9'><rect width='9' height='9' fill='red'/></svg>"
            for _ in 0..<levels {
                let data =
                    isPacked
                    ? ";base64,\(Data(image.utf8).base64EncodedString())"
                    : ",\(image.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
                image =
                    "<svg \(namespace) width='9' height='9'><image href=\"data:image/svg+xml\(data)\" "
                    + "width='9' height='9'/></svg>"
            }
            return image
        }
        let forms: [(Int) -> String] = [
            { "<use href='#u\($0)'/>" }, { "<USE xlink:href=\"#u\($0)\"></USE>" },
            { "<use href = ' #&#117;\($0) '/>" },
        ]
        try withFolder { folder in
            let service = try Service(in: folder)
            for use in forms {
                let answer = try service.draw("<!doctype html>" + uses(12, use))
                #expect(answer.status == 422 && answer.code == "uses-multiply")
                #expect(try service.draw("<!doctype html>" + uses(4, use)).status == 200)
            }
            let svg = ["Content-Type": "image/svg+xml"]
            #expect(try service.draw(uses(12, forms[0]), "", svg).code == "uses-multiply")
            #expect(try service.draw(uses(4, forms[0]), "", svg).status == 200)
            // Elements that come from an entity cannot be counted.
            let hidden = "<!DOCTYPE svg [<!ENTITY a '&#60;use href=\"#u0\"/>'>]>" + uses(2, forms[0])
            #expect(try service.draw(hidden, "", svg).code == "uses-multiply")
            // `use` elements that refer to each other in a cycle repeat nothing.
            let circle =
                "<svg \(namespace) width='9' height='9'><g id='a'><use href='#b'/></g><g id='b'><use href='#a'/></g></svg>"
            #expect(try service.draw(circle, "", svg).status == 200)
            for (isPacked, levels) in [(true, 14), (false, 5)] {
                #expect(try service.draw(images(levels, isPacked), "", svg).code == "images-nested")
                #expect(try service.draw(images(2, isPacked), "", svg).status == 200)
            }
            #expect(try service.metric("web_process_restarts_total") == 0)
        }
    }

    /// A document that refreshes itself to an empty address is drawn, and no process ends.
    @Test func aRefreshToAnEmptyDocument() throws {
        try withFolder { folder in
            let service = try Service(in: folder)
            for index in 0..<20 {
                let refresh = "<meta http-equiv=refresh content='0;url=about:srcdoc'>\(row("rgb(1,2,\(index))"))"
                #expect(try service.draw(refresh).status == 200)
            }
            #expect(try service.metric("web_process_restarts_total") == 0)
        }
    }
}
