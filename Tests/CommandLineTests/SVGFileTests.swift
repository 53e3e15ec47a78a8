import Foundation
import Testing

/// SVG documents as files.
@Suite struct SVGFileTests {
    @Test func anSVGDocumentIsScaled() throws {
        try withFolder { folder in
            try folder.write(
                "fixed.svg",
                "<?xml version='1.0'?><!-- a > b --><!DOCTYPE svg [<!ENTITY a 'b>'>]><svg xmlns='http://www.w3.org/2000/svg' "
                    + "width='15mm' height='7.5mm'><rect width='100%' height='100%' fill='red'/></svg>")
            func size(_ options: String...) throws -> [Int] {
                let outcome = try Offstage.run("render", arguments: ["fixed.svg", "-o", "a.png"] + options, in: folder)
                #expect(outcome.code == 0, "\(outcome.error)")
                let picture = try folder.picture("a.png")
                #expect(picture[picture.size[0] / 2, picture.size[1] / 2] == [255, 0, 0, 255])
                return picture.size
            }
            #expect(try size() == [57, 29])
            #expect(try size("--width", "200") == [200, 100])
            #expect(try size("--height", "10") == [20, 10])
            #expect(try size("--width", "50", "--height", "50", "--scale", "2") == [100, 100])
        }
    }

    @Test func formsOfSVGDocuments() throws {
        try withFolder { folder in
            let red = "<rect width='100%' height='100%' fill='red'/></svg>"
            let sized = "<svg xmlns='http://www.w3.org/2000/svg' width='60' height='30' viewBox='0 0 60 30'>\(red)"
            try folder.write("in/marked.svg", try #require("\u{FEFF}\(sized)".data(using: .utf16BigEndian)))
            try folder.write(
                "in/plain.svg", try #require("<?xml version='1.0'?>\(sized)".data(using: .utf16LittleEndian)))
            try folder.write("in/packed.svg", sized)
            try folder.write(
                "in/styled.svg",
                "<svg xmlns='http://www.w3.org/2000/svg' width='9' viewBox='0 0 60 30' style='width: 60px;height:30px'>\(red)"
            )
            let pack = "cd in; gzip -k packed.svg; mv packed.svg.gz zipped.svgz; cp zipped.svgz named.svg"
            #expect(try Child(["/bin/sh", "-ec", pack], folder: folder.path).wait().code == 0)
            try folder.write("page/a.html", "<!doctype html><body style='margin:0'><img src=a.svgz>")
            try folder.write("page/a.svgz", try folder.data("in/zipped.svgz"))
            let outcome = try Offstage.run(
                "render", "in", "page/a.html", "--out", "out", "--width", "120", "--no-cache", in: folder)
            #expect(outcome.code == 0, "\(outcome.error)")
            for name in ["marked", "plain", "packed", "styled", "zipped", "named"] {
                let picture = try folder.picture("out/\(name).png")
                #expect(picture.size == [120, 60], "\(name)")
                #expect(picture[119, 59] == [255, 0, 0, 255], "\(name)")
            }
            #expect(try folder.picture("out/a.png")[59, 29] == [255, 0, 0, 255])
            // Small as a file, but large as a picture.
            let bomb =
                "head -c 200000000 /dev/zero | tr '\\0' ' ' | gzip >bomb.svgz; head -c 40 in/zipped.svgz >cut.svgz"
            #expect(try Child(["/bin/sh", "-ec", bomb], folder: folder.path).wait().code == 0)
            let refused = try Offstage.run("render", "bomb.svgz", "cut.svgz", "--out", "out", in: folder)
            #expect(refused.code == 1)
            #expect(refused.error.contains("bomb.svgz: the document has "))
            #expect(refused.error.contains("cut.svgz: it is not text"))
        }
    }
}
