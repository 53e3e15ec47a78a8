import Foundation
import Offstage
import Synchronization

/// `/`: the state of the service, for people. Plain HTML without scripts or external files.
struct StatusResource: Sendable {
    let context: ServeContext

    /// Allows only the pictures in the page: no loads, no scripts, no frames around it.
    private static let policy =
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; frame-ancestors 'none'; "
        + "base-uri 'none'"

    func get(_ request: HTTPRequest) throws(Problem) -> Handling {
        .later { () async throws(Problem) in
            HTTPAnswer(200, "text/html; charset=utf-8", Data(Self.html(await state).utf8))
                .with("Content-Security-Policy", Self.policy)
                .with("Cache-Control", "no-store")
                .with("X-Content-Type-Options", "nosniff")
                .with("Referrer-Policy", "same-origin")
        }
    }

    /// The content of the page.
    private struct State: Sendable {
        var name: String
        var version: String
        var isSuspended: Bool
        var figures: [(String, String)]
        /// The most recent one is first.
        var pictures: [RecentPictures.Entry]
    }

    @MainActor
    private var state: State {
        let (renderer, rate) = (context.renderer, context.statistics.figures.rate)
        let counters = renderer.counters
        let hits = counters.hitsInMemory + counters.hitsOnDisk
        let all = hits + counters.drawn
        let ratio = all == 0 ? "–" : "\(Int((100 * Double(hits) / Double(all)).rounded())) %"
        let name = context.isStopping ? "stopping" : renderer.isSuspended ? "suspended" : "drawing"
        let figures: [(String, String)] = [
            ("State", name), ("Waiting", "\(renderer.waitingCount)"), ("Running", "\(renderer.runningCount)"),
            ("Answers per second", String(format: "%.1f", rate)), ("Drawn", "\(counters.drawn)"),
            ("From the cache", ratio), ("Failed", "\(counters.failed)"),
            ("Connections", "\(context.connections?.count ?? 0)"),
        ]
        return State(
            name: name, version: context.configuration.version, isSuspended: renderer.isSuspended, figures: figures,
            pictures: context.recent.entries.reversed())
    }

    /// Off the main thread, because the page contains pictures.
    private static func html(_ state: State) -> String {
        return """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta http-equiv="refresh" content="5">
            <meta name="viewport" content="width=device-width">
            <title>Offstage: \(state.name)</title>
            <style>\(style)</style>
            <h1>Offstage <small>\(escaped(state.version))</small></h1>
            <dl>\(state.figures.map { "<div><dt>\($0)</dt><dd>\($1)</dd></div>" }.joined(separator: "\n"))</dl>
            \(button(isSuspended: state.isSuspended))
            <h2>Last pictures</h2>
            <ul>\(state.pictures.map(item).joined(separator: "\n"))</ul>
            <p><a href="/v1/openapi.json">API</a> · <a href="/metrics">Metrics</a></p>
            </html>

            """
    }

    private static func button(isSuspended: Bool) -> String {
        let (path, text) =
            isSuspended
            ? ("/v1/suspensions/end", "Resume") : ("/v1/suspensions", "Suspend for a minute")
        return """
            <form method="post" action="\(path)"><button>\(text)</button></form>
            """
    }

    private static func item(_ entry: RecentPictures.Entry) -> String {
        let picture = entry.picture
        let data = picture.data.base64EncodedString()
        let image =
            data.isEmpty ? "" : "<img src=\"data:\(picture.format.kind.mediaType);base64,\(data)\" alt=\"\">"
        let name = picture.name.map(escaped) ?? "no identifier"
        let how = picture.isCached ? "cached" : "drawn"
        return "<li>\(image)<p>\(name)<br>\(picture.size) px, \(entry.byteCount) bytes, \(how)</p></li>"
    }

    private static func escaped(_ text: String) -> String {
        text.printable.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    }

    private static let style = """
        :root { color-scheme: light dark; font: 15px/1.5 sans-serif; }
        body { max-width: 60em; margin: 2em auto; padding: 0 1em; }
        small { color: GrayText; }
        dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(10em, 1fr)); gap: 1em; }
        dl div { border: 1px solid #8886; border-radius: 8px; padding: .6em 1em; }
        dt { color: GrayText; }
        dd { margin: 0; font-size: 1.6em; }
        ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(17em, 1fr)); gap: 1em; list-style: none; padding: 0; }
        li { border: 1px solid #8886; border-radius: 8px; padding: .8em; overflow-wrap: anywhere; }
        li img { display: block; max-width: 100%; max-height: 12em; }
        li p { margin: .4em 0 0; }
        """
}

/// The last pictures, for the status page. Use it from any thread.
final class RecentPictures: Sendable {
    struct Entry: Sendable {
        /// Contains no bytes if the picture is too large to be shown.
        var picture: PictureAnswer
        var byteCount: Int
    }

    private let list = Mutex<[Entry]>([])

    var entries: [Entry] { list.withLock { $0 } }

    private static let limit = 12
    private static let largest = 131_072

    /// Removes the entries of a picture that a client has deleted.
    func remove(_ identifier: String) { list.withLock { $0.removeAll { $0.picture.name == identifier } } }

    func add(_ picture: PictureAnswer) {
        let isShown = picture.data.count <= Self.largest && picture.format.kind.mediaType.hasPrefix("image/")
        var shown = picture
        if !isShown { shown.data = Data() }
        let entry = Entry(picture: shown, byteCount: picture.data.count)
        list.withLock { list in
            if list.count == Self.limit { list.removeFirst() }
            list.append(entry)
        }
    }
}
