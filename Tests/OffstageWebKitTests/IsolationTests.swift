import Foundation
import Offstage
import OffstageWebKit
import XCTest

/// A snippet is untrusted: it runs no code, loads no other page and opens no connections.
final class IsolationTests: XCTestCase {
    private let box = "<div id=box style='height:10px;background:red'></div>"
    private let change = "document.getElementById(`box`).style.background=`blue`"

    private func assertUnchanged(_ body: String, base: (any ResourceProvider)? = nil, line: UInt = #line) throws {
        let image = try draw(box + body, base: base)
        XCTAssertEqual(image.pixel(50, 5), .red, line: line)
        XCTAssertEqual(image.count(of: .red), 1000, line: line)
    }

    func testScriptsDoNotRun() throws {
        try assertUnchanged("<script>\(change)</script>")
        try assertUnchanged("<script type=module>\(change)</script>")
        try assertUnchanged("<script src='data:text/javascript,\(change)'></script>")
        try assertUnchanged("<script src=a.js></script>", base: MemoryFolder(text: ["a.js": change]))
        try assertUnchanged("<svg width=0 height=0><script>\(change)</script></svg>")
    }

    func testHandlersDoNotRun() throws {
        try assertUnchanged("<img style='display:none' src='\(flatURI(.red))' onload='\(change)'>")
        try assertUnchanged("<img style='display:none' src='data:,' onerror='\(change)'>")
        try assertUnchanged("<input autofocus onfocus='\(change)' style='position:absolute;top:-99px'>")
        try assertUnchanged("<details open ontoggle='\(change)' style='display:none'></details>")
        try assertUnchanged("<svg width=0 height=0 onload='\(change)'></svg>")
        try assertUnchanged("<style onload='\(change)'></style>")
        let html = "<!doctype html><body style='margin:0' onload='\(change)' onpageshow='\(change)'>\(box)"
        XCTAssertEqual(try draw(Snippet(html, identifier: "a")).count(of: .red), 4000)
    }

    func testJavaScriptAddressesDoNotRun() throws {
        let address = "javascript:parent.\(change)"
        try assertUnchanged("<iframe src='\(address)' style='display:none'></iframe>")
        try assertUnchanged("<meta http-equiv=refresh content='0;url=javascript:\(change)'>")
        try assertUnchanged("<object data='\(address)' style='display:none'></object>")
    }

    func testAPageDoesNotGoElsewhere() throws {
        let files = MemoryFolder(text: ["other.html": "<body style='margin:0;background:blue'>"])
        for address in ["other.html", "data:text/html,<body bgcolor=blue>", "about:blank", "http://127.0.0.1:9/", ""] {
            for late in ["", "<img src=\(flatURI(.green)) style='display:none'>"] {
                try assertUnchanged("<meta http-equiv=refresh content='0;url=\(address)'>\(late)", base: files)
            }
        }
        try assertUnchanged("<base target=_top><meta http-equiv=refresh content='0'>", base: files)
    }

    func testAFrameDoesNotMoveThePage() throws {
        let files = MemoryFolder(text: [
            "frame.html": "<base target=_top><meta http-equiv=refresh content='0;url=other.html'>",
            "other.html": "<body style='background:blue'>",
        ])
        try assertUnchanged("<iframe src=frame.html style='display:none'></iframe>", base: files)
    }

    /// A snippet's styles, storage and names do not affect the next snippet.
    func testNothingIsLeftForTheNext() throws {
        _ = try draw("<style>div{background:blue!important}</style>\(box)")
        try assertUnchanged("")
    }

    /// Files with the same name in two rows' folders are different files.
    func testAFileIsNotTakenForAnotherRowsFile() throws {
        for color in [Pixel.red, .blue, .green] {
            let files = MemoryFolder(["a.png": flatPNG(color)])
            let image = try draw("<img src=a.png style='display:block'>", width: 10, base: files)
            XCTAssertEqual(image.count(of: color), 100)
        }
    }
}
