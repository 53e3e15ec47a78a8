import Foundation
import Offstage
import OffstageWebKit
import XCTest

/// The clock of a page's scripts: they run until they are idle, which takes no real time.
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

    /// Each frame of an endless animation takes real time, so after 4 s of the page's time there are fewer frames.
    func testFramesOfALongAnimation() throws {
        let script = "let n=0;requestAnimationFrame(function f(){div.style.height=++n+'px';requestAnimationFrame(f)})"
        let image = try draw(scripted(script))
        XCTAssertEqual(image.size.height, 4000 / 16 + 10_000 / 64 - 4000 / 64)
    }

    func testTheSignalStopsTheClock() throws {
        for script in [
            "offstage.wait();let n=0;setInterval(()=>{div.style.height=10+n+'px';if(++n===20)offstage.ready()},100)",
            """
            const d=document.documentElement.dataset;d.offstage='wait';
            let n=0;setInterval(()=>{div.style.height=10+n+'px';if(++n===20)d.offstage='ready'},100)
            """,
            // Longer than the limit for pages without a signal.
            "offstage.wait();setTimeout(()=>{div.style.height='29px';offstage.ready()},30000)",
        ] {
            let image = try draw(scripted(script))
            XCTAssertEqual(image.size.height, 29, script)
            XCTAssertEqual(image.warnings, [], script)
        }
    }

    /// The clock does not run ahead of a file that is being loaded. If the load waits for a timer, the clock
    /// continues after a while.
    func testALongLoadHoldsUpTheClockForAWhileOnly() throws {
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        var files = MemoryFolder(text: ["slow.txt": "a", "go.txt": "b"])
        files.asked = { path in
            if path == "go.txt" { ask.finish() } else { for await _ in asked {} }
        }
        var snippet = scripted(
            """
            fetch('slow.txt').then(()=>{div.style.height='20px'});
            setTimeout(()=>{\(redden);fetch('go.txt')},20)
            """)
        snippet.base = files
        let image = try draw(snippet)
        XCTAssertEqual(image.pixel(5, 5), .red)
        XCTAssertEqual(image.size.height, 20)
        XCTAssertEqual(image.warnings, [])
    }

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

    // MARK: Animations

    private let style =
        "document.head.append(Object.assign(document.createElement('style'),{textContent:`@keyframes a{from{border-spacing:9px}}`}))"
    private let widen = "div.style.transition='width 1s';div.style.width='50px';div.offsetWidth;div.style.width='90px'"

    /// Each animation ends and fires its event at the expected time.
    func testTheEndsOfAnimationsAreEvents() throws {
        for script in [
            "\(widen);div.addEventListener('transitionend',e=>{if(e.propertyName==='width'&&e.elapsedTime===1)done(1000)})",
            "\(widen);div.ontransitionend=()=>done(1000)",
            "\(widen);addEventListener('transitionrun',()=>done(0))",
            "\(widen);div.style.transitionDelay='2s';div.addEventListener('transitionstart',()=>done(2000))",
            "\(widen);div.style.transitionDelay='2s';div.addEventListener('transitionend',()=>done(3000))",
            "\(widen);div.addEventListener('webkitTransitionEnd',()=>done(1000))",
            "setTimeout(()=>{\(widen)},500);document.addEventListener('transitionend',()=>done(1500))",
            "\(style);div.style.animation='a 2s';div.addEventListener('animationend',e=>{if(e.animationName==='a')done(2000)})",
            "\(style);div.style.animation='a 2s .5s 2';div.onanimationend=()=>done(4500)",
            "\(style);div.style.animation='a 2s .5s';div.onanimationstart=()=>done(500)",
            "\(style);div.style.animation='a 2s';div.onanimationend=()=>{\(widen);div.ontransitionend=()=>done(3000)}",
            "div.animate({opacity:[0,1]},1000).onfinish=()=>done(1000)",
            "div.animate({opacity:[0,1]},9000).addEventListener('finish',()=>done(9000))",
            "const a=div.animate({opacity:[0,1]},1000);a.finished.then(()=>div.animate({opacity:[0,1]},1000).onfinish=()=>done(2000))",
            // Longer than the time limit for scripts.
            "div.animate({opacity:[0,1]},60000).onfinish=()=>{\(redden)}",
            "const s=new CSSStyleSheet;s.replaceSync('div{transition:width 1s}');document.adoptedStyleSheets=[s];\(widen);div.ontransitionend=()=>done(1000)",
            """
            const root=div.attachShadow({mode:'closed'});root.innerHTML='<style>p{margin:0;transition:width 1s;width:9px}</style><p>';
            const p=root.querySelector('p');p.offsetWidth;p.style.width='20px';p.ontransitionend=()=>done(1000)
            """,
        ] {
            let done = "const done=at=>{if(Math.abs(performance.now()-at)<1)\(redden)}"
            let image = try draw(scripted("\(done);\(script)"))
            XCTAssertEqual(image.pixel(5, 5), .red, script)
            XCTAssertEqual(image.warnings, [], script)
        }
    }

    func testTheOrderOfAnimationEvents() throws {
        let script = """
            const said=[];const kinds=['transitionrun','transitionstart','transitionend','webkitTransitionEnd','animationstart','animationend'];
            for(const kind of kinds)addEventListener(kind,e=>said.push(e.type));
            \(style);\(widen);div.style.animation='a 1s';
            const a=div.animate({opacity:[0,1]},500);a.onfinish=()=>said.push('finish');a.finished.then(()=>said.push('finished'));
            setTimeout(()=>{console.log(said.join(' '))},1500)
            """
        let image = try draw(scripted(script))
        XCTAssertEqual(
            image.warnings.map(\.reason),
            ["transitionrun transitionstart animationstart finished finish transitionend animationend"])
    }

    /// Animations that are endless, paused or removed fire no end event and delay nothing.
    func testAnimationsThatDoNotEnd() throws {
        for script in [
            "\(style);div.style.animation='a 1s infinite';div.onanimationend=div.onanimationiteration=div.onanimationstart=lose",
            "\(style);div.style.animation='a 1s paused';div.onanimationend=lose",
            "const a=div.animate({opacity:[0,1]},1000);a.onfinish=lose;setTimeout(()=>a.cancel(),500)",
            "div.animate({width:['50px','60px']},{duration:1000,iterations:Infinity}).onfinish=lose",
        ] {
            let image = try draw(scripted("const lose=()=>div.remove();\(redden);\(script)"))
            XCTAssertEqual(image.pixel(5, 5), .red, script)
            XCTAssertEqual(image.warnings, [], script)
        }
    }

    // MARK: Unfinished scripts

    /// A change that will certainly happen after the limit.
    func testAChangeAfterTheLimitIsAWarning() throws {
        for script in [
            "let n=0;setInterval(()=>{div.style.width=(n++)%3+50+'px'},3000)",
            "let n=0;setInterval(()=>{div.style.width=(n++)%3+50+'px'},4000)",
            "let n=0;setInterval(()=>{div.style.width=(n++)%3+50+'px'},6000)",
            "let n=0;(function f(){div.style.width=(n++)%3+50+'px';setTimeout(f,4000)})()",
            "setTimeout(()=>{div.remove()},11000)", "setTimeout(()=>{div.remove()},29000)",
        ] {
            let image = try draw(scripted("\(redden);\(script)"))
            XCTAssertEqual(image.pixel(5, 5), .red, script)
            XCTAssertEqual(image.warnings.map(\.code), [.scriptUnfinished], script)
        }
        for script in [
            "setInterval(()=>{},4000)", "setInterval(()=>{},7000)", "(function f(){setTimeout(f,4000)})()",
            "setInterval(()=>{fetch('a.txt').then(r=>r.text())},3000)", "setTimeout(()=>{div.remove()},31000)",
            "setInterval(()=>{div.remove()},11000)",
            "setTimeout(()=>{div.style.width='50px'},9990)",
        ] {
            let image = try draw(scripted("\(redden);\(script)", files: ["a.txt": "a"]))
            XCTAssertEqual(image.pixel(5, 5), .red, script)
            XCTAssertEqual(image.warnings, [], script)
        }
    }

    /// Real time stops these scripts at a different frame each time, so the picture must not be cached.
    func testScriptsThatTakeTooLongInRealTime() throws {
        let work = "for(let i=0,x=0;i<3e6;i++)x+=Math.sqrt(i)"
        var snippet = scripted(
            "\(redden);let n=0;requestAnimationFrame(function f(){\(work);div.style.width=90+n++%9+'px';requestAnimationFrame(f)})"
        )
        snippet.timeout = 0.5
        let image = try draw(snippet)
        XCTAssertEqual(image.pixel(5, 5), .red)
        XCTAssertEqual(image.warnings.map(\.code), [.deadline])
        XCTAssertEqual(image.warnings.map(\.subject), ["the scripts"])
        XCTAssertFalse(image.warnings.allSatisfy(\.code.isLasting))
    }

    func testAllClocksAgree() throws {
        let checks = [
            "document.timeline.currentTime===3000", "new Event('x').timeStamp===3000", "performance.now()===3000",
        ]
        let image = try draw(scripted("setTimeout(()=>{if(\(checks.joined(separator: "&&")))\(redden)},3000)"))
        XCTAssertEqual(image.pixel(5, 5), .red)
    }

    func testErrorsInTimersAreWarnings() throws {
        let image = try draw(scripted("setTimeout(()=>{nothing()},2000);setTimeout(()=>{\(redden)},3000)"))
        XCTAssertEqual(image.warnings.map(\.code), [.scriptError])
        XCTAssertEqual(image.pixel(5, 5), .red)
    }
}
