import Foundation
import Offstage
import OffstageWebKit
import XCTest

/// Page scripts, when they are turned on.
final class PageScriptTests: XCTestCase {
    private func scripted(_ script: String, files: [String: String] = [:], timeout: Double = 10) -> Snippet {
        var snippet = page(
            "<div style='height:10px'></div><script>const div=document.querySelector('div');\(script)</script>",
            base: MemoryFolder(text: files))
        snippet.runsScripts = true
        snippet.timeout = timeout
        return snippet
    }

    private let redden = "div.style.background='red'"

    func testTheyRunOnlyIfAskedFor() throws {
        var snippet = scripted(redden)
        XCTAssertEqual(try draw(snippet).pixel(5, 5), .red)
        snippet.runsScripts = false
        XCTAssertEqual(try draw(snippet).pixel(5, 5), .white)
    }

    func testThePictureWaitsForTheReadySignal() throws {
        for (wait, ready) in [
            ("offstage.wait()", "offstage.ready()"),
            ("document.documentElement.dataset.offstage='wait'", "document.documentElement.dataset.offstage='ready'"),
            (
                "document.documentElement.dataset.offstage='wait'",
                "document.documentElement.removeAttribute('data-offstage')"
            ),
        ] {
            let image = try draw(scripted("\(wait);setTimeout(()=>{\(redden);\(ready)},50)"))
            XCTAssertEqual(image.pixel(5, 5), .red, ready)
            XCTAssertEqual(image.warnings, [], ready)
        }
    }

    /// WebKit skips the view transition in a view that is never shown. The page is drawn in its final state, and
    /// nothing is missing.
    func testAViewTransitionEndsAtOnce() throws {
        let change = "document.startViewTransition(() => { \(redden) })"
        for script in [
            change, "addEventListener('load', () => \(change))",
            "offstage.wait();\(change).finished.then(offstage.ready)",
            "offstage.wait();setTimeout(() => { \(change); offstage.ready() })",
            "offstage.wait();\(change).ready.then(() => div.animate({}, 9)).finally(offstage.ready)",
        ] {
            let image = try draw(scripted(script))
            XCTAssertEqual(image.pixel(5, 5), .red, script)
            XCTAssertEqual(image.warnings, [], script)
        }
        XCTAssertEqual(try draw(scripted("Promise.reject(new Error('lost'))")).warnings.map(\.code), [.scriptError])
    }

    func testASignalThatDoesNotComeCostsTheDeadline() throws {
        let image = try draw(scripted("offstage.wait();\(redden)", timeout: 0.3))
        XCTAssertEqual(image.pixel(5, 5), .red)
        XCTAssertEqual(image.warnings, [DrawingWarning(.deadline, "the ready signal")])
    }

    /// If page scripts are off, WebKit drops the attribute (see `IncompleteTests`).
    func testADocumentInAnAttributeIsDrawn() throws {
        let frame =
            "<iframe srcdoc=\\\"<body style='margin:0;background:red'>\\\" style='display:block;border:0;height:9px'></iframe>"
        let image = try draw(scripted("div.innerHTML=\"\(frame)\""))
        XCTAssertEqual(image.pixel(5, 5), .red)
        XCTAssertEqual(image.warnings, [])
        // A frame without a document causes no warning either.
        XCTAssertEqual(try draw(scripted("div.append(document.createElement('iframe'))")).warnings, [])
    }

    /// The document in the attribute belongs to the page and cannot reach the network.
    func testADocumentInAnAttributeReachesNothing() throws {
        let listener = Listener()
        let url = "http://127.0.0.1:\(listener.port)/x"
        let inner = [
            "<img src='\(url)'>", "<link rel=stylesheet href='\(url)'>", "<script src='\(url)'></script>",
            "<script>fetch('\(url)')</script>",
            "<script>new WebSocket('\(url.replacing("http", with: "ws"))')</script>",
            "<script>location='\(url)'</script>", "<script>top.location='\(url)'</script>",
            "<script>open('\(url)')</script>", "<meta http-equiv=refresh content='0;url=\(url)'>",
            "<iframe src='\(url)'></iframe>", "<iframe srcdoc=&quot;<img src='\(url)'>&quot;></iframe>",
            "<base href='\(url)'><img src=a.png>",
            "<form action='\(url)'></form><script>document.forms[0].submit()</script>",
            "<script>fetch('file:///etc/hostname').then(r=>r.text()).then(t=>fetch('\(url)?'+t))</script>",
        ]
        for document in inner {
            var snippet = page("<p>text</p><iframe srcdoc=\"\(document.replacing("\"", with: "&quot;"))\"></iframe>")
            snippet.runsScripts = true
            snippet.timeout = 1
            let image = try draw(snippet)
            XCTAssertEqual(listener.connections(), 0, document)
            XCTAssertGreaterThan(image.size.height, 10, document)
        }
        // The frame can also load files from the base folder.
        let frame = "<body style='margin:0'><img src=a.svg style='display:block'>"
        var snippet = page(
            "<iframe srcdoc=\"\(frame)\" style='display:block;border:0;height:9px'></iframe>",
            base: MemoryFolder(text: [
                "a.svg":
                    "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><path fill='red' d='M0 0h9v9H0z'/></svg>"
            ]))
        snippet.runsScripts = true
        XCTAssertEqual(try draw(snippet).pixel(5, 5), .red)
        _ = try draw("<p>text")
        XCTAssertEqual(listener.connections(), 0)
    }

    func testFramesAndObserversComeInAViewThatIsNeverShown() throws {
        for script in [
            "requestAnimationFrame(()=>requestAnimationFrame(done))", "new ResizeObserver(done).observe(div)",
            "new IntersectionObserver(([e])=>e.isIntersecting&&done()).observe(div)",
        ] {
            let image = try draw(scripted("function done(){\(redden);offstage.ready()};offstage.wait();\(script)"))
            XCTAssertEqual(image.pixel(5, 5), .red, script)
            XCTAssertEqual(image.warnings, [], script)
        }
    }

    func testScriptsReadFilesOfTheBase() throws {
        let load =
            "offstage.wait();fetch('a.json').then(r=>r.json()).then(v=>{div.style.background=v.color}).finally(offstage.ready)"
        XCTAssertEqual(try draw(scripted(load, files: ["a.json": #"{"color":"red"}"#])).pixel(5, 5), .red)
        let module = "offstage.wait();import('./m.js').finally(offstage.ready)"
        XCTAssertEqual(
            try draw(scripted(module, files: ["m.js": "document.querySelector('div').style.background='red'"])).pixel(
                5, 5),
            .red)
    }

    func testTimeZoneAndLanguage() throws {
        var snippet = scripted(
            "if(new Date(0).getHours()===9 && navigator.language==='fr') \(redden)")
        XCTAssertEqual(try draw(snippet).pixel(5, 5), .white)
        snippet.emulation.timeZone = "Asia/Tokyo"
        snippet.emulation.language = "fr"
        XCTAssertEqual(try draw(snippet).pixel(5, 5), .red)
    }

    func testMessagesAndErrorsAreWarnings() throws {
        let log = "console.log('one',{two:2})"
        let late = "setTimeout(()=>{setTimeout(offstage.ready);throw new Error('late')})"
        let image = try draw(scripted("offstage.wait();\(log);\(log);\n \(late);nothing()"))
        guard image.warnings.count == 3 else { return XCTFail("\(image.warnings)") }
        XCTAssertEqual(image.warnings.map(\.code), [.consoleMessage, .scriptError, .scriptError])
        XCTAssertEqual(image.warnings[0], DrawingWarning(.consoleMessage, "log", reason: #"one {"two":2}"#))
        XCTAssertEqual(
            image.warnings[1],
            DrawingWarning(
                .scriptError, "the document, line 2", reason: "ReferenceError: Can't find variable: nothing"))
        XCTAssertEqual(image.warnings[2].reason, "Error: late")
    }

    func testAConsoleMessageIsNoDefect() throws {
        var snippet = scripted("console.warn('x')")
        snippet.requiresComplete = true
        XCTAssertTrue(try draw(snippet).isComplete)
        snippet = scripted("nothing()")
        snippet.requiresComplete = true
        guard case .incomplete(let warnings) = refusal(of: snippet) else { return XCTFail("an error is a defect") }
        XCTAssertEqual(warnings.map(\.code), [.scriptError])
    }

    func testWhatAScriptWritesIsCheckedForGlyphs() throws {
        let image = try draw(scripted("div.textContent=String.fromCodePoint(0x18b00)"))
        XCTAssertEqual(image.warnings.map(\.code), [.glyphMissing])
    }

    func testAFloodOfMessagesIsCutShort() throws {
        let image = try draw(scripted("for(let i=0;i<1000;i++)console.log(i+'x'.repeat(2000))"))
        XCTAssertEqual(image.warnings.count, 21)
        XCTAssertEqual(image.warnings.last, DrawingWarning(.consoleMessage, "further messages", reason: "left out"))
        XCTAssertLessThanOrEqual(image.warnings[0].reason!.count, 501)
    }

    /// In a browser, each of these scripts would leave the page, hang it or open something.
    func testWhatAScriptMayNotDo() throws {
        for script in [
            "alert('x');confirm('y');prompt('z')", "print()", "open('https://example.org/')", "close()",
            "location='https://example.org/'", "document.body.requestFullscreen?.().catch(()=>{})",
            "const i=document.createElement('input');i.type='file';document.body.append(i);i.click();i.remove()",
            "const f=document.createElement('form');f.action='https://example.org/';document.body.append(f);f.submit()",
            "history.pushState(1,'','/elsewhere#here')",
            "try{new Worker(URL.createObjectURL(new Blob(['for(;;){}'])))}catch{}",
        ] {
            let image = try draw(scripted("\(script);\(redden)"))
            XCTAssertEqual(image.pixel(5, 5), .red, script)
        }
    }

    func testTheNetworkStaysClosed() throws {
        let listener = Listener()
        let address = "127.0.0.1:\(listener.port)"
        let script = """
            offstage.wait(); try{new WebSocket('ws://\(address)/')}catch{}; navigator.sendBeacon?.('http://\(address)/b');
            new Image().src='http://\(address)/i'; const s=document.createElement('script'); s.src='http://\(address)/s';
            document.head.append(s); fetch('http://\(address)/').catch(()=>{\(redden)}).finally(offstage.ready)
            """
        let image = try draw(scripted(script))
        XCTAssertEqual(image.pixel(5, 5), .red)
        XCTAssertEqual(listener.connections(), 0)
        XCTAssertTrue(image.warnings.contains { $0.code == .resourceBlocked })
    }

    /// The measured size is out of date when the picture is painted.
    func testADocumentThatShrinksMeanwhile() throws {
        for _ in 0..<10 {
            let image = try draw(scripted("let h=4000;setInterval(()=>{h=h>100?h-30:100;div.style.height=h+'px'},0)"))
            XCTAssertGreaterThanOrEqual(image.size.height, 10)
        }
    }

    func testAnEndlessLoopCostsOneResult() throws {
        var snippet = scripted("for(;;){}", timeout: 0.2)
        XCTAssertEqual(refusal(of: snippet), .engineHung(seconds: 5))
        snippet = scripted(redden)
        XCTAssertEqual(try draw(snippet).pixel(5, 5), .red)
    }

    /// Without page scripts, JavaScriptCore's compilers would only take processor time from the drawing.
    func testOnlyPageScriptsAreOptimized() throws {
        try onLoop {
            for runsScripts in [false, true] {
                let before = Processes.children()
                let engine = WebEngine()
                engine.sandbox = .never
                let renderer = Renderer(engine: engine)
                var snippet = page("<p>text")
                snippet.runsScripts = runsScripts
                _ = try await renderer.picture(for: snippet)
                let process = try XCTUnwrap(Processes.new(Processes.webProcess, since: before).first)
                let environment = try String(contentsOfFile: "/proc/\(process)/environ", encoding: .utf8)
                XCTAssertEqual(environment.contains("JSC_useDFGJIT=0"), !runsScripts)
                await renderer.finish()
            }
        }
    }
}

/// A script that keeps running after its document's picture is taken must not use up the next document's time.
final class LastingScriptTests: XCTestCase {
    func testTheNextDocumentIsDrawn() throws {
        try onLoop {
            let before = Processes.children()
            let engine = WebEngine()
            engine.sandbox = .never
            let renderer = Renderer(engine: engine)
            for (script, mustBeReplaced) in [
                ("setInterval(()=>location.hash=Math.random(),0)", false),
                ("setInterval(()=>{document.open();document.write('<p>x');document.close()},0)", false),
                ("setTimeout(()=>{for(;;);},60000)", false),
                ("addEventListener('pagehide',()=>{for(;;);})", true),
                ("setInterval(()=>history.pushState(1,'','#'+Math.random()),0)", true),
            ] {
                _ = try await renderer.picture(for: lasting("<div style='height:10px'></div>", script))
                let process = Processes.new(Processes.webProcess, since: before)
                var snippet = lasting("<div style='height:10px;background:red'></div>", "")
                // Each picture is different, so that none comes from the cache.
                snippet.html += Data("<!--\(script)-->".utf8)
                let image = try await renderer.picture(for: snippet)
                XCTAssertEqual(image.count(of: .red), 1000, script)
                XCTAssertEqual(image.warnings, [], script)
                // The process whose script does not end, or whose history the script filled, must not have drawn this
                // picture.
                let next = Set(Processes.new(Processes.webProcess, since: before))
                if mustBeReplaced { XCTAssert(!next.isEmpty && next != Set(process), script) }
            }
            await renderer.finish()
        }
    }

    /// An ordinary document can be unloaded, so its process need not be replaced.
    func testAnOrdinaryDocumentKeepsItsProcess() throws {
        try onLoop {
            let before = Processes.children()
            let engine = WebEngine()
            _ = Studio.renderer
            engine.sandbox = .never
            let renderer = Renderer(engine: engine)
            var all: Set<pid_t> = []
            for number in 0..<10 {
                let snippet = lasting("<div style='height:10px'></div>", "setInterval(()=>\(number),0)")
                _ = try await renderer.picture(for: snippet)
                all.formUnion(Processes.new(Processes.webProcess, since: before))
            }
            XCTAssertEqual(all.count, 1 + engine.restarts)
            await renderer.finish()
        }
    }
}

private func lasting(_ body: String, _ script: String) -> Snippet {
    var snippet = page("\(body)<script>\(script)</script>")
    snippet.runsScripts = true
    return snippet
}
