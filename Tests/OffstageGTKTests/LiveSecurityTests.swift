import CTestEvents
import CWebKitGTK
import Foundation
import Offstage
import XCTest

@testable import OffstageGTK
@testable import OffstageWebKit

/// An untrusted document that the user can interact with has no more rights than in a drawing.
final class LiveSecurityTests: XCTestCase {
    /// A server on this machine that counts connections.
    private final class Listener {
        let port: Int
        private let socket: Int32

        init() throws {
            socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let socket = socket
            let isOpen = withUnsafeMutableBytes(of: &address) { bytes in
                let address = bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self)
                return bind(socket, address, length) == 0 && listen(socket, 50) == 0
                    && getsockname(socket, address, &length) == 0
            }
            XCTAssert(isOpen)
            port = Int(address.sin_port.byteSwapped)
        }

        deinit { close(socket) }

        /// The number of connections since the last call.
        func visitors() -> Int {
            var count = 0
            while case let visitor = accept(socket, nil, nil), visitor >= 0 {
                count += 1
                close(visitor)
            }
            return count
        }
    }

    @MainActor
    private static func evaluate(_ body: String, row: Int, of bench: SnippetBench) -> String? {
        guard let widget = bench.view(row: row) else { return nil }
        let view = UnsafeMutableRawPointer(widget).assumingMemoryBound(to: WebKitWebView.self)
        let reply = Reply<String>()
        return try? onLoopValue { await reply.wait { ScriptWorld.evaluate(body, in: view, reply) } }
    }

    @MainActor
    private static func click(row: Int, of bench: SnippetBench) {
        bench.move(200, Int(bench.list.screenTop(of: row)) + 30)
        test_button(1, 1)
        bench.settle()
        test_button(1, 0)
        bench.settle()
    }

    /// The number of windows on the host's screen, not counting tooltips and menus.
    @MainActor private static var windows: Int {
        let all = gtk_window_list_toplevels()
        defer { g_list_free(all) }
        return sequence(first: all, next: { $0?.pointee.next }).prefix { $0 != nil }.count { entry in
            let window = entry!.pointee.data!.assumingMemoryBound(to: GtkWidget.self)
            return gtk_widget_get_visible(window) != 0 && gtk_widget_get_screen(window) == gdk_screen_get_default()
                && gtk_window_get_window_type(cast(window)) == GTK_WINDOW_TOPLEVEL
        }
    }

    private static let fill = "style='position: absolute; inset: 0; width: 100%; height: 60px'"

    /// The content of each row, and the notification that the host receives after a click.
    private static func baits(_ port: Int) -> [(html: String, told: String?)] {
        let server = "http://127.0.0.1:\(port)/"
        return [
            ("<a \(fill) href='other.html?a#b'>", "other.html?a#b"),
            ("<a \(fill) href='\(server)' target=_blank>", server),
            ("<a \(fill) href='\(server)' download>", server),
            ("<a \(fill) href='\(server)' ping='\(server)ping'>", server),
            ("<a \(fill) href='#part'>", "#part"),
            ("<a \(fill) href='mailto:somebody@example.com'>", "mailto:somebody@example.com"),
            ("<a \(fill) href='javascript:document.body.remove()'>", nil),
            ("<form action='\(server)'><input type=hidden name=a value=b><button \(fill)>", nil),
            ("<form method=post><button \(fill)>", nil),
            ("<form><button formaction=other.html formtarget=_blank \(fill)>", nil),
            ("<input type=file \(fill)>", nil),
            ("<input type=color \(fill)>", nil),
            ("<b onclick='document.body.remove()' \(fill)>", nil),
        ]
    }

    func testNoClickLeadsAnywhere() throws {
        try onMain {
            let listener = try Listener()
            let baits = Self.baits(listener.port)
            let folder = try TestFolder()
            try folder.write("other.html", "<p>another document")
            let bench = SnippetBench(rows: baits.count) { row in
                let start = "<!doctype html><body style='margin: 0; height: 60px; overflow: hidden'>"
                var snippet = Snippet(start + baits[row].html, identifier: "")
                snippet.base = BaseFolder(folder.path)
                return snippet
            }
            var told: [Int: String] = [:]
            bench.list.onLink = { told[$0] = $1 }
            bench.pumpUntilComplete()
            let state = "return [location.href, history.length, document.body.innerHTML.length].join(' ')"
            for row in baits.indices {
                bench.list.scroll(to: row)
                bench.pumpUntilComplete()
                bench.list.makeLive(row: row)
                XCTAssert(pump { bench.list.isLive(row: row) })
                let windows = Self.windows
                let before = Self.evaluate(state, row: row, of: bench)
                Self.click(row: row, of: bench)
                if baits[row].told != nil { pump(seconds: 5) { told[row] != nil } }
                XCTAssertEqual(told[row], baits[row].told, "row \(row)")
                // Anything that the click started is over when the process has answered twice.
                _ = Self.evaluate(state, row: row, of: bench)
                XCTAssertNotNil(before)
                XCTAssertEqual(Self.evaluate(state, row: row, of: bench), before, "row \(row)")
                XCTAssertEqual(Self.windows, windows, "row \(row)")
            }
            XCTAssertEqual(listener.visitors(), 0)
            bench.close()
        }
    }

    /// The document has its own scripts and tries to load everything that it can name.
    func testNothingIsAskedOfTheNetworkAndNoOtherFiles() throws {
        try onMain {
            let listener = try Listener()
            let folder = try TestFolder()
            let image = "<svg xmlns='http://www.w3.org/2000/svg' width='7' height='7'/>"
            try folder.write("outside.svg", image)
            try folder.write("base/inside.svg", image)
            let server = "http://127.0.0.1:\(listener.port)/"
            let html = """
                <!doctype html><meta http-equiv=refresh content='0; url=\(server)'>
                <link rel=stylesheet href='\(server)a.css'><link rel=preconnect href='\(server)'>
                <style>@import '\(server)b.css'; p { background: url(\(server)c.png) }</style>
                <p>Text <img id=in src=inside.svg> <img id=up src=../outside.svg> <img id=abs src='file://\(folder.path)/outside.svg'>
                <img src='\(server)d.png'><iframe src='\(server)e.html'></iframe><object data='\(server)f'></object>
                <script>
                document.title = 'script';
                try { new WebSocket('\(server.replacing("http", with: "ws"))'); } catch {}
                try { navigator.sendBeacon('\(server)g'); } catch {}
                try { open('\(server)h'); } catch {}
                fetch('\(server)i').catch(() => 0);
                new Image().src = '\(server)j';
                setTimeout(() => { location = '\(server)k'; setTimeout(() => { document.title = 'tried'; }, 100); }, 100);
                </script>
                """
            for runsScripts in [false, true] {
                let bench = SnippetBench(rows: 1, height: 700) { _ in
                    var snippet = Snippet(html, identifier: "")
                    snippet.base = BaseFolder(folder.path + "/base")
                    snippet.runsScripts = runsScripts
                    return snippet
                }
                bench.pumpUntilComplete()
                bench.list.makeLive(row: 0)
                XCTAssert(pump { bench.list.isLive(row: 0) })
                // The document has been loaded, and its script has tried everything.
                let title = runsScripts ? "tried" : ""
                let isOver = "return String(document.readyState == 'complete' && document.title == '\(title)')"
                XCTAssert(pump { Self.evaluate(isOver, row: 0, of: bench) == "true" })
                let report = """
                    const width = (name) => document.getElementById(name).naturalWidth;
                    return [location.protocol, document.title, width('in'), width('up'), width('abs')].join(' ');
                    """
                XCTAssertEqual(
                    Self.evaluate(report, row: 0, of: bench),
                    "offstage: \(title) 7 0 0")
                // Even the program itself cannot send the view elsewhere.
                let view = UnsafeMutableRawPointer(bench.view(row: 0)!).assumingMemoryBound(to: WebKitWebView.self)
                webkit_web_view_load_uri(view, server)
                XCTAssertEqual(Self.evaluate("return location.protocol", row: 0, of: bench), "offstage:")
                bench.close()
            }
            XCTAssertEqual(listener.visitors(), 0)
            // Check that the server does count connections.
            let client = g_socket_client_new()
            let connection = g_socket_client_connect_to_host(client, "127.0.0.1", guint16(listener.port), nil, nil)
            XCTAssertEqual(listener.visitors(), 1)
            if let connection { g_object_unref(connection) }
            g_object_unref(client)
        }
    }
}

/// A folder that is removed with this object.
private final class TestFolder {
    let path = NSTemporaryDirectory() + "offstage-live-\(UUID().uuidString)"

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ name: String, _ text: String) throws {
        let file = path + "/" + name
        try FileManager.default.createDirectory(
            atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    }
}
