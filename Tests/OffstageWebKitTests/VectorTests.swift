import Foundation
import Offstage
import OffstageWebKit
import XCTest

/// PDF and SVG have the same layout as the pixel picture, as `pdftoppm` paints them.
final class VectorTests: XCTestCase {
    private func file(_ snippet: Snippet, _ format: FileFormat = .pdf()) throws -> (Data, RenderedFiles) {
        let files = try onLoop { try await Studio.renderer.files(for: snippet, as: [FileVariant(format)])[0] }
        return (try XCTUnwrap(files.files[0].dataAtOnce), files)
    }

    private func painted(_ data: Data, page: Int = 1) throws -> PaintedPage { try PaintedPage(pdf: data, page: page) }

    private func run(_ command: [String], on data: Data) throws -> Data { try runTool(command, on: data) }

    private let halves = "<div style='height:20px;width:50px;background:red'></div>"

    func testAPageIsThePictureInCSSPixels() throws {
        let (data, files) = try file(page(halves, scale: 3))
        XCTAssertEqual(files.files[0].size, PixelSize(width: 100, height: 20))
        XCTAssertEqual(files.scale, 1)
        let picture = try painted(data)
        XCTAssertEqual(picture.size, PixelSize(width: 100, height: 20))
        XCTAssertEqual(picture[48, 10], .red)
        XCTAssertEqual(picture[52, 10], .white)
    }

    /// The viewport's height follows the content's, as in the pixel picture. Otherwise WebKit would lay the document
    /// out wider and paint it smaller.
    func testADocumentThatDependsOnTheViewportsHeight() throws {
        let block = "<div style='height:60px;width:50px;background:red'></div>"
        for (body, style) in [
            ("\(block)<i style='position:fixed;bottom:0;left:60px;width:9px;height:9px;background:red'></i>", ""),
            ("<main>\(block)</main>", "html,body,main{height:100%} main{overflow:auto}"),
            ("<div style='position:fixed;top:50%;transform:translateY(-50%);width:50px'>\(block)</div>", ""),
            (
                "<div style='height:20px'></div><div style='min-height:100%'>\(block)</div>",
                "html,body{height:100%}"
            ),
        ] {
            let snippet = page(body, style: style)
            let pixels = try draw(snippet)
            let (data, files) = try file(snippet)
            XCTAssertEqual(files.files[0].size, pixels.size, body)
            let printed = try painted(data)
            XCTAssertEqual(printed.size, pixels.size, body)
            // Sample away from the edges.
            let rows = stride(from: 3, to: pixels.size.height, by: 5)
            for x in [5, 64] {
                XCTAssertEqual(rows.map { printed[x, $0] }, rows.map { pixels.pixel(x, $0) }, body)
            }
        }
    }

    func testWhatGoesBeyondThePageDoesNotShrinkIt() throws {
        for style in ["", "body{overflow:hidden}", "html{overflow:hidden}"] {
            let wide = "<div style='width:300px;height:10px;background:green'></div>"
            let right = "<i style='position:absolute;right:-40px;top:0;width:60px;height:10px;background:blue'></i>"
            let picture = try painted(file(page(halves + wide + right, style: style)).0)
            XCTAssertEqual(picture.size, PixelSize(width: 100, height: 30), style)
            XCTAssertEqual(picture[48, 15], .red, style)
            XCTAssertEqual(picture[52, 15], .white, style)
            XCTAssertEqual(picture[98, 25], .green, style)
            XCTAssertEqual(picture[90, 5], .blue, style)
        }
    }

    func testMediaQueriesAreTheScreensUnlessAskedOtherwise() throws {
        let style = "div{height:10px;background:green} @media print{div{background:red}}"
        var snippet = page("<div>", style: style)
        XCTAssertEqual(try painted(file(snippet).0)[5, 5], .green)
        snippet.emulation.mediaType = .print
        XCTAssertEqual(try painted(file(snippet).0)[5, 5], .red)
    }

    func testOnePageHasNoBreaks() throws {
        let snippet = page(halves + "<div style='break-before:page;height:10px;background:green'></div>")
        let picture = try painted(file(snippet).0)
        XCTAssertEqual(picture.size.height, 30)
        XCTAssertEqual(picture[48, 25], .green)
    }

    func testAPaperHasAsManyPagesAsItTakes() throws {
        let paper = Paper(width: 150, height: 75, margin: 15)  // 160 × 60 CSS px of content
        let rows = (0..<4).map { "<p style='margin:0;height:20px;background:\($0 < 3 ? "red" : "green")'></p>" }
        let end = "<p style='break-before:page;margin:0;height:100vh;background:blue'></p>"
        let (data, files) = try file(page(rows.joined() + end), .pdf(PDFEncoder(paper: paper)))
        XCTAssertEqual(files.files[0].size, PixelSize(width: 200, height: 100))
        let first = try painted(data)
        XCTAssertEqual(first.size, PixelSize(width: 200, height: 100))
        XCTAssertEqual(first[10, 50], .white)
        XCTAssertEqual([first[22, 22], first[178, 78], first[182, 82]], [.red, .red, .white])
        XCTAssertEqual(try painted(data, page: 2)[100, 25], .green)
        let third = try painted(data, page: 3)
        XCTAssertEqual([third[100, 25], third[100, 78], third[100, 85]], [.blue, .blue, .white])
    }

    func testLinksOnPaperAreWhereTheyArePrinted() throws {
        let style =
            "a{color:green;line-height:20px} p{margin:0;width:60px;font:16px sans-serif} #goal{break-before:page}"
        let body = """
            <p><a href="https://one.example/">some words in lines</a></p>
            <p><a href="https://two.example/"><b style="display:block;height:20px">x</b></a></p>
            <p><a href="#goal">on</a> <a href="javascript:1">no</a></p><p id=goal>goal</p>
            """
        let paper = Paper(width: 150, height: 150, margin: 15)
        let (data, _) = try file(page(body, style: style), .pdf(PDFEncoder(paper: paper)))
        let list = String(decoding: try run(["pdfinfo", "-url", "-"], on: data), as: UTF8.self)
        let links = list.split(separator: "\n").dropFirst().map { $0.split(separator: " ").last ?? "" }
        XCTAssertEqual(Set(links), ["https://one.example/", "https://two.example/"], list)
        XCTAssertGreaterThanOrEqual(links.count, 3, "a link over lines has a box a line: \(list)")
        let path = NSTemporaryDirectory() + "offstage-links-\(getpid()).pdf"
        defer { unlink(path) }
        try data.write(to: URL(fileURLWithPath: path))
        let json = String(decoding: try run(["qpdf", "--json", path], on: Data()), as: UTF8.self)
        XCTAssertEqual(json.components(separatedBy: "/XYZ").count - 1, 1, "the link within")
        XCTAssertFalse(list.contains("javascript"))
    }

    func testColumnsAreOneAndSaidSo() throws {
        var snippet = page(
            "<div style='columns:2'><p>one</p><p>two</p></div>",
            style: "p{margin:0;height:20px;line-height:1;background:red}")
        let (data, files) = try file(snippet)
        XCTAssertEqual(files.warnings, [DrawingWarning(.columnsMerged, "1 element")])
        XCTAssertEqual(try painted(data).size.height, 40)
        snippet.requiresComplete = true
        XCTAssertThrowsError(try file(snippet))
    }

    func testAPartAloneAndTheBackground() throws {
        var snippet = page("<p>before</p><div id=a style='width:30px;height:10px'></div>")
        snippet.selector = Snippet.Selector("#a")
        snippet.background = Color(red: 0, green: 0, blue: 1)
        snippet.margins = Margins(padding: 5)
        let picture = try painted(file(snippet).0)
        XCTAssertEqual(picture.size, PixelSize(width: 40, height: 20))
        XCTAssertEqual([picture[1, 1], picture[20, 10]], [.blue, .blue])
    }

    func testTheSameBytesAfterOtherWork() throws {
        let snippet = page("<p style='font:16px sans-serif'>Some text, 日本 and <b>more</b>")
        for format in [FileFormat.pdf(), .svg()] {
            let (first, _) = try file(snippet, format)
            _ = try file(page(halves), .svg())
            XCTAssertEqual(try file(snippet, format).0, first, format.name)
        }
    }

    func testAPageThatNoReaderTakesIsRefused() throws {
        XCTAssertThrowsError(try file(page("<div style='height:20000px'>"))) { error in
            guard case .tooLargeForFormat(let size, let limit)? = (error as? RenderError)?.reason else {
                return XCTFail("\(error)")
            }
            XCTAssertEqual(size.height, 20_000)
            XCTAssertEqual(limit, PDFEncoder.limit)
        }
    }

    /// The file that WebKit prints into exists only in memory.
    func testNoFileStaysBehind() throws {
        _ = try file(page(halves))
        let descriptors = "/proc/self/fd"
        let open = try FileManager.default.contentsOfDirectory(atPath: descriptors).compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "\(descriptors)/\($0)")
        }
        XCTAssertEqual(open.filter { $0.contains("offstage-print") }, [])
        let folder = try FileManager.default.contentsOfDirectory(atPath: NSTemporaryDirectory())
        XCTAssertEqual(folder.filter { $0.contains("offstage-print") }, [])
    }
}
