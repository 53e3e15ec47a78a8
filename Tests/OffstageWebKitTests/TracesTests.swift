import Foundation
import Offstage
import OffstageWebKit
import XCTest

/// A view draws one document after another, and no document finds traces of an earlier one.
final class TracesTests: XCTestCase {
    private let text = "<p class=a id=b lang=en>Text <b>bold</b> 直角 <i>x</i></p><ol><li>one</ol><input value=in>"

    func testADocumentIsDrawnAsTheFirstOneAfterAnyOther() throws {
        let alone = try afters.map { try drawn([$0], with: nil)[0] }
        let renderer = try onLoop { Studio.make() }
        for before in befores {
            for (index, after) in afters.enumerated() {
                // The first document provides a page that later ones can be written into.
                let later = try drawn(["<!doctype html><p>first", before, after, after, before, after], with: renderer)
                for place in [2, 3, 5] { XCTAssertEqual(later[place], alone[index], "\(after) after \(before)") }
                XCTAssertEqual(later[1], later[4], before)
            }
        }
        try onLoop { await renderer.finish() }
    }

    private var befores: [String] {
        [
            // Policies, languages, addresses, sheet sets.
            "<meta http-equiv=content-security-policy content=\"default-src 'none'\"><p>x",
            "<meta http-equiv=content-language content=ja><p>x", "<base href=x/ target=_top>",
            "<meta name=color-scheme content=dark><p>x", "<meta name=viewport content='width=100,initial-scale=3'>",
            "<style title=one>p{color:red}</style><style title=two>p{color:blue}</style><p>x",
            // Modes, and properties of the root.
            "<p>quirks", "<!doctype html><html dir=rtl lang=ar class=a><body bgcolor=red text=lime>x",
            "<!doctype html><style>html{writing-mode:vertical-rl;zoom:2;overflow:scroll;--c:red}</style><p>x",
            // Rules by name.
            "<style>@property --c{syntax:'<color>';inherits:true;initial-value:red}</style><p>x",
            "<style>@font-face{font-family:F;src:local('DejaVu Serif')}p{font-family:F}</style><p>x",
            "<style>@counter-style s{system:cyclic;symbols:'*';suffix:' '}ol{list-style:s}</style><ol><li>x</ol>",
            "<style>@keyframes k{to{color:red}}p{animation:k 1s forwards}</style><p>x",
            "<style>@layer b,a;@layer a{p{color:red}}@layer b{p{color:blue}}</style><p>x",
            // Elements that are found by name, or are open, focused, scrolled to, or framed.
            "<svg width=9 height=9><linearGradient id=g><stop stop-color=red /></linearGradient></svg>",
            "<input autofocus><dialog open>x</dialog><details open name=d>x</details><div popover id=p>x</div>",
            "<style>html{scroll-snap-type:y mandatory}div{height:900px;scroll-snap-align:end}</style><div></div>",
            "<iframe src='data:text/html,x'></iframe><object data='data:text/html,y'></object>",
            "<template shadowrootmode=open><p>x</template><marquee>x</marquee>",
        ]
    }

    private var afters: [String] {
        [
            "<!doctype html>\(text)", text,
            "<!doctype html><style>p{color:var(--c,green)}ol{list-style:s}b{font-family:F,monospace}"
                + "@layer a{i{color:red}}@layer b{i{color:blue}}p{animation:k 1s forwards}</style>\(text)",
            "<!doctype html><style>:focus{background:lime}:root:dir(rtl){color:red}</style>"
                + "<svg width=30 height=30><rect width=30 height=30 fill='url(#g) green'/></svg><input autofocus value=f>\(text)",
            "<!doctype html><style title=two>p{color:lime}</style><style title=one>p{color:aqua}</style>\(text)",
            "<!doctype html><img src='\(flatURI(.green))'>\(text)",
        ]
    }

    /// - Parameter renderer: nil to use a new renderer.
    private func drawn(_ documents: [String], with renderer: Renderer?) throws -> [Data] {
        try onLoop {
            let own = renderer ?? Studio.make()
            var drawn: [Data] = []
            for html in documents {
                drawn.append(
                    try await own.picture(for: Snippet(html, identifier: "a"), options: .init(usesCache: false))
                        .encoded()
                )
            }
            if renderer == nil { await own.finish() }
            return drawn
        }
    }
}
