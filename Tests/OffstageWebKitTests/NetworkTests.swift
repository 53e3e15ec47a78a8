import Offstage
import OffstageWebKit
import XCTest

/// Nothing in a page can reach the network, not even this machine.
final class NetworkTests: XCTestCase {
    func testTheListenerCounts() {
        let listener = Listener()
        XCTAssertEqual(listener.connections(), 0)
        listener.connect()
        XCTAssertEqual(listener.connections(), 1)
    }

    func testNoElementConnects() throws {
        let listener = Listener()
        let url = "http://127.0.0.1:\(listener.port)/x"
        let elements = [
            "<img src='\(url)'>", "<img srcset='\(url) 1x'>", "<picture><source srcset='\(url)'><img></picture>",
            "<link rel=stylesheet href='\(url)'>", "<link rel=icon href='\(url)'>", "<link rel=manifest href='\(url)'>",
            "<link rel=prefetch href='\(url)'>", "<link rel=preload as=image href='\(url)'>",
            "<link rel=preconnect href='\(url)'>", "<link rel=dns-prefetch href='\(url)'>",
            "<link rel=modulepreload href='\(url)'>", "<iframe src='\(url)'></iframe>",
            "<object data='\(url)'></object>", "<embed src='\(url)'>", "<video src='\(url)' poster='\(url)'></video>",
            "<audio src='\(url)' autoplay></audio>", "<video><track src='\(url)' default></video>",
            "<input type=image src='\(url)'>", "<a href='\(url)' ping='\(url)'>a</a>",
            "<svg><image href='\(url)' /><use href='\(url)#a' /></svg>", "<body background='\(url)'>",
            "<table background='\(url)'><tr><td>a</table>", "<script src='\(url)'></script>",
            "<meta http-equiv=refresh content='0;url=\(url)'>", "<base href='\(url)'><img src=a.png>",
            "<form action='\(url)'><input autofocus></form>", "<frameset><frame src='\(url)'></frameset>",
            "<meta http-equiv=Content-Security-Policy content=\"img-src *; report-uri \(url)\"><img src='\(url)'>",
        ]
        for element in elements {
            _ = try? draw("<p>text</p>\(element)")
            XCTAssertEqual(listener.connections(), 0, element)
        }
        // Drawing another document exposes a load that would only start after the first drawing.
        _ = try draw("<p>text")
        XCTAssertEqual(listener.connections(), 0)
    }

    func testNoStyleConnects() throws {
        let listener = Listener()
        let url = "http://127.0.0.1:\(listener.port)/x"
        let styles = [
            "@import url(\(url));", "@font-face{font-family:A;src:url(\(url))} p{font-family:A}",
            "p{background:url(\(url))}", "p{list-style:url(\(url))}", "p{cursor:url(\(url)),auto}",
            "p{border-image:url(\(url)) 1}", "p{-webkit-mask:url(\(url))}", "p{filter:url(\(url)#a)}",
            "p{clip-path:url(\(url)#a)}", "p::before{content:url(\(url))}",
            "p{background:image-set(url(\(url)) 1x)}", "p{shape-outside:url(\(url));float:left}",
        ]
        for style in styles {
            _ = try draw("<p>text</p>", style: style)
            XCTAssertEqual(listener.connections(), 0, style)
        }
        _ = try draw("<p>text")
        XCTAssertEqual(listener.connections(), 0)
    }

    /// Files that a page may load cannot load others: a frame or image from the base folder is untrusted, too.
    func testNoResourceConnects() throws {
        let listener = Listener()
        let url = "http://127.0.0.1:\(listener.port)/x"
        let files = MemoryFolder(text: [
            "frame.html": "<img src='\(url)'><link rel=stylesheet href='\(url)'><script src='\(url)'></script>",
            "a.css": "@import url(\(url)); p{background:url(\(url))}",
            "a.svg": "<svg xmlns='http://www.w3.org/2000/svg'><image href='\(url)' width='9' height='9'/></svg>",
        ])
        _ = try draw(
            "<p>text</p><link rel=stylesheet href=a.css><iframe src=frame.html></iframe><img src=a.svg>"
                + "<object data=a.svg></object><iframe src=\"data:text/html,<img src='\(url)'>\"></iframe>",
            base: files)
        XCTAssertEqual(listener.connections(), 0)
        _ = try draw("<p>text")
        XCTAssertEqual(listener.connections(), 0)
    }
}
