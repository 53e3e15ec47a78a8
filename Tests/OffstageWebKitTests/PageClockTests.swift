import Foundation
import Offstage
import OffstageWebKit
import XCTest

/// The clock of a page's scripts: they run until they rest, in no time.
final class PageClockTests: XCTestCase {
    private func scripted(_ script: String, files: [String: String] = [:]) -> Snippet {
        var snippet = page(
            "<div style='height:10px'></div><script>const div=document.querySelector('div');\(script)</script>",
            base: MemoryFolder(text: files))
        snippet.runsScripts = true
        return snippet
    }

    private let redden = "div.style.background='red'"

    func testTimersAndFramesRunUntilTheyRest() throws {
        for script in [
            "setTimeout(()=>{\(redden)},5000)",
            "let n=0;const t=setInterval(()=>{if(++n===40){clearInterval(t);\(redden)}},100)",
            "let n=0;(function f(){if(++n<200)requestAnimationFrame(f);else \(redden)})()",
            "const a=performance.now();requestAnimationFrame(function f(t){if(t-a<3000)requestAnimationFrame(f);else \(redden)})",
            "const a=Date.now();(function f(){if(Date.now()-a<3000)setTimeout(f,7);else \(redden)})()",
            "const a=new Date;setTimeout(()=>{if(new Date-a===4000)\(redden)},4000)",
            "const a=div.animate({opacity:[0,1]},9000);a.finished.then(()=>{\(redden)})",
            "new Promise(r=>setTimeout(r,3000)).then(()=>new Promise(r=>setTimeout(r,3000))).then(()=>{\(redden)})",
            "setTimeout('\(redden.replacing("'", with: "\\'"))',100)",
            "const a=performance.now();while(performance.now()-a<200);\(redden)",
        ] {
            let image = try draw(scripted(script))
            XCTAssertEqual(image.pixel(5, 5), .red, script)
            XCTAssertEqual(image.warnings, [], script)
        }
    }

    /// A timer that changes nothing does not delay the picture.
    func testIdleTimers() throws {
        for script in [
            "requestAnimationFrame(function f(){requestAnimationFrame(f)})", "setInterval(()=>{},50)",
            "setTimeout(function f(){setTimeout(f,100)},100)", "setInterval(()=>{},60000)",
            "setTimeout(()=>{},3600000)",
        ] {
            let image = try draw(scripted("\(script);setTimeout(()=>{\(redden)},1000)"))
            XCTAssertEqual(image.pixel(5, 5), .red, script)
            XCTAssertEqual(image.warnings, [], script)
        }
    }

    func testAnEndlessAnimationIsAWarning() throws {
        for script in [
            "let n=0;requestAnimationFrame(function f(){div.style.width=(n++)%90+'px';requestAnimationFrame(f)})",
            "let n=0;setInterval(()=>{div.textContent=n++},100)",
            """
            const c=document.createElement('canvas').getContext('2d');
            requestAnimationFrame(function f(){c.fillRect(0,0,9,9);requestAnimationFrame(f)})
            """,
        ] {
            let image = try draw(scripted("\(redden);\(script)"))
            XCTAssertEqual(image.warnings.map(\.code), [.scriptUnfinished], script)
            assertSamePixels(image, try draw(scripted("/* again */\(redden);\(script)")), script)
        }
    }

    func testTheSignalStopsTheClock() throws {
        for script in [
            "offstage.wait();let n=0;setInterval(()=>{div.style.height=10+n+'px';if(++n===20)offstage.ready()},100)",
            """
            const d=document.documentElement.dataset;d.offstage='wait';
            let n=0;setInterval(()=>{div.style.height=10+n+'px';if(++n===20)d.offstage='ready'},100)
            """,
            // Longer than pages without a signal have.
            "offstage.wait();setTimeout(()=>{div.style.height='29px';offstage.ready()},30000)",
        ] {
            let image = try draw(scripted(script))
            XCTAssertEqual(image.size.height, 29, script)
            XCTAssertEqual(image.warnings, [], script)
        }
    }

    /// The clock does not run ahead of a file that is on its way.
    func testLoadsTakeNoTime() throws {
        let timeout = "const t=setTimeout(()=>{div.remove()},20)"
        for load in [
            "fetch('a.txt').then(r=>r.text()).then(done)",
            "const x=new XMLHttpRequest;x.open('GET','a.txt');x.onload=done;x.send()",
            "const i=new Image;i.onload=done;i.src='a.svg'",
            "const s=document.createElement('script');s.src='a.js';s.onload=done;document.head.append(s)",
            "const l=document.createElement('link');l.rel='stylesheet';l.href='a.css';l.onload=done;document.head.append(l)",
            "const r=new FileReader;r.onload=done;r.readAsText(new Blob(['a']))",
        ] {
            let image = try draw(
                scripted(
                    "addEventListener('load',()=>{const done=()=>{clearTimeout(t);\(redden)};\(timeout);\(load)})",
                    files: [
                        "a.txt": "a", "a.js": "1", "a.css": "p{}",
                        "a.svg": "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>",
                    ]))
            XCTAssertEqual(image.pixel(5, 5), .red, load)
            XCTAssertEqual(image.warnings, [], load)
        }
    }

    /// The same timers in a frame follow the same clock.
    func testAFrameOfThePage() throws {
        let inner =
            "<script>setTimeout(()=>{parent.document.querySelector('div').style.background='red'},3000)</script>"
        var snippet = page("<div style='height:10px'></div><iframe srcdoc=\"\(inner)\" height=9></iframe>")
        snippet.runsScripts = true
        XCTAssertEqual(try draw(snippet).pixel(5, 5), .red)
    }

    func testDatesAreWhole() throws {
        let checks = [
            "new Date(0).getTime()===0", "new Date(2020,1,2).getMonth()===1", "typeof Date()==='string'",
            "Date.length===7", "Date.UTC(1970,0,1)===0", "new Date() instanceof Date", "Date.name==='Date'",
            "new (class extends Date{})(5).getTime()===5", "new Date().constructor===Date",
            "Math.abs(Date.now()-new Date)<9", "Date.now()>1.7e12", "Number.isInteger(Date.now())",
        ]
        let image = try draw(scripted("if(\(checks.joined(separator: "&&")))\(redden)"))
        XCTAssertEqual(image.pixel(5, 5), .red)
    }

    func testErrorsInTimersAreWarnings() throws {
        let image = try draw(scripted("setTimeout(()=>{nothing()},2000);setTimeout(()=>{\(redden)},3000)"))
        XCTAssertEqual(image.warnings.map(\.code), [.scriptError])
        XCTAssertEqual(image.pixel(5, 5), .red)
    }
}
