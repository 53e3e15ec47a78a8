import Offstage
import OffstageWebKit
import XCTest

/// Pictures of a part of the document, and of content with its own size.
final class PartTests: XCTestCase {
    private static let boxes = """
        <!doctype html><style>body { margin: 0 } p { margin: 0; height: 10px }
        .a { position: absolute; left: 20.5px; top: 30px; width: 40px; height: 15px; background: red }
        .b { position: absolute; left: 100px; top: 200px; width: 30px; height: 25px; background: blue }
        .gone { display: none }</style>
        <div class="x gone"></div><div class="x a"></div><div class="x b"></div><p>
        """

    private func snippet(_ html: String, _ set: (inout Snippet) -> Void) -> Snippet {
        var snippet = Snippet(html, identifier: "part")
        set(&snippet)
        return snippet
    }

    func testASelectorTakesTheFirstVisibleElement() throws {
        let image = try draw(snippet(Self.boxes) { $0.selector = .init(".x") })
        // From 20.5 to 60.5, rounded outwards.
        XCTAssertEqual(image.size, PixelSize(width: 41, height: 15))
        XCTAssertEqual(image.pixel(20, 7), .red)
        XCTAssertNil(image.part)
    }

    /// The element's size overflows every integer type that Offstage uses.
    func testAnElementThatATransformMakesEndless() throws {
        for scale in ["1e30", "-1e30"] {
            let html = "<!doctype html><div id=a style='width:9px;height:9px;transform:scale(\(scale))'>x</div><p>text"
            _ = try draw(snippet(html) { $0.selector = .init("#a") })
        }
    }

    func testAnOutsetShowsThePageAroundAnElementAsFarAsItGoes() throws {
        let html = """
            <!doctype html><style>body { margin: 0; width: 200px; height: 100px; background: blue }
            div { position: absolute; left: 40px; top: 5px; width: 20px; height: 20px; background: red }
            div { box-shadow: 10px 10px 0 lime } p { margin: 0; display: none }</style><p></p><div></div>
            """
        for scale in [1.0, 2] {
            let image = try draw(
                snippet(html) {
                    $0.selector = .init("p, div", outset: 12)
                    $0.geometry.scale = scale
                })
            let px = Int(scale)
            // The page has only 5 CSS px above the element.
            XCTAssertEqual(image.size, PixelSize(width: 44 * px, height: 37 * px))
            XCTAssertEqual(image.pixel(14 * px, 7 * px), .red)
            XCTAssertEqual(image.pixel(40 * px, 30 * px), Pixel(0, 255, 0))
            XCTAssertEqual(image.pixel(43 * px, 36 * px), .blue)
        }
    }

    func testEachTakesEveryVisibleElement() throws {
        let request = snippet(Self.boxes) {
            $0.selector = .init(".x", isEach: true)
            $0.geometry.scale = 2
        }
        let images = try onLoop { try await Studio.renderer.pictures(for: request) }
        XCTAssertEqual(images.map(\.part), [1, 2])
        XCTAssertEqual(images.map(\.size), [PixelSize(width: 80, height: 30), PixelSize(width: 60, height: 50)])
        XCTAssertEqual(images[1].count(of: .blue), 3000)
    }

    func testAPartIsTheSameAsInTheWhole() throws {
        let whole = try draw(snippet(Self.boxes) { _ in })
        let part = try draw(snippet(Self.boxes) { $0.selector = .init(".b") })
        XCTAssertEqual(part.count(of: .blue), whole.count(of: .blue))
        XCTAssertEqual(part.pixels.count, 750)
    }

    func testWhatIsNotThereIsSaid() throws {
        XCTAssertEqual(refusal(of: snippet(Self.boxes) { $0.selector = .init(".y") }), .notFound(".y"))
        XCTAssertEqual(refusal(of: snippet(Self.boxes) { $0.selector = .init(".gone") }), .notFound(".gone"))
        XCTAssertEqual(
            refusal(of: snippet(Self.boxes) { $0.selector = .init("p[") }),
            .invalidRequest("the selector p[ is not a valid CSS selector"))
    }

    func testAFittingWidthIsTheContents() throws {
        let badge = "<!doctype html><body style='margin:3px'><div style='width:77px;height:20px;background:red'></div>"
        let image = try draw(snippet(badge) { $0.geometry.shrinksToFit = true })
        XCTAssertEqual(image.size, PixelSize(width: 83, height: 26))
        XCTAssertEqual(image.pixel(79, 10), .red)
        XCTAssertEqual(image.pixel(80, 10), .white)
    }

    /// A right-to-left document begins at the viewport's right edge.
    func testAFittingWidthFromRightToLeft() throws {
        let badge =
            "<!doctype html><html dir=rtl><body style='margin:0'><div style='width:50px;height:9px;background:red'>"
        let image = try draw(snippet(badge) { $0.geometry.shrinksToFit = true })
        XCTAssertEqual(image.size, PixelSize(width: 50, height: 9))
        XCTAssertEqual(image.count(of: .red), 450)
    }

    func testAFittingWidthHasAMaximum() throws {
        let words = Array(repeating: "word", count: 200).joined(separator: " ")
        let image = try draw(
            snippet("<!doctype html><body>\(words)") {
                $0.geometry.shrinksToFit = true
                $0.geometry.width = 150
            })
        XCTAssertLessThanOrEqual(image.size.width, 150)
        XCTAssertGreaterThan(image.size.width, 100)
        XCTAssertGreaterThan(image.size.height, 500)
    }

    func testTheHeightHasALeastAndAMost() throws {
        func height(_ content: Int) throws -> Int {
            let row = "<!doctype html><body style='margin:0;background:red'><div style='height:\(content)px'>"
            let image = try draw(
                snippet(row) {
                    $0.geometry.minimumHeight = 50
                    $0.geometry.maximumHeight = 90
                })
            XCTAssertEqual(image.count(of: .red), 400 * image.size.height)
            return image.size.height
        }
        XCTAssertEqual(try height(20), 50)
        XCTAssertEqual(try height(70), 70)
        XCTAssertEqual(try height(300), 90)
    }

    func testFractionalScales() throws {
        for (scale, size) in [
            (1.5, PixelSize(width: 150, height: 60)), (1.25, PixelSize(width: 125, height: 50)),
            (0.5, PixelSize(width: 50, height: 20)), (2.5, PixelSize(width: 250, height: 100)),
        ] {
            let row = "<!doctype html><body style='margin:0'><div style='height:40px;background:red'>"
            let image = try draw(
                snippet(row) {
                    $0.geometry.width = 100
                    $0.geometry.scale = scale
                })
            XCTAssertEqual(image.size, size)
            XCTAssertEqual(image.count(of: .red), size.width * size.height)
        }
        // The zoom does not affect the next document.
        XCTAssertEqual(try draw(Snippet("<!doctype html><body style='margin:0'><p>", identifier: "a")).size.width, 400)
    }

    func testWrongBoundsAreRefused() throws {
        XCTAssertEqual(
            refusal(
                of: snippet("<p>a") {
                    $0.geometry.minimumHeight = 9
                    $0.geometry.maximumHeight = 8
                }), .invalidRequest("the minimum height is 9 CSS px, the maximum 8; exchange them"))
        XCTAssertEqual(
            refusal(of: snippet("<p>a") { $0.geometry.scale = 4 }),
            .invalidRequest("the scale is 4.0; it must be 0.25 to 3"))
    }
}
