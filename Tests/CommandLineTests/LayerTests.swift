import Foundation
import Testing

/// Each layer between a document and the network does by itself what SECURITY.md says. A helper program, which only
/// the tests have, draws the documents of Tests/Hostile that name a port or a file with some layers off.
@Suite(.serialized) struct LayerTests {
    private static let webKits: Set = ["contentPolicy", "contentFilter", "navigationPolicy", "features"]

    /// Documents that load something: each kind of element and style, frames, and requests by scripts.
    private static let loads: Set = [
        "network/background-attribute", "network/base", "network/content-image", "network/css-escapes",
        "network/css-file", "network/css-import", "network/css-selectors", "network/css-url", "network/font",
        "network/font-ranges", "network/image", "network/image-case", "network/image-lazy", "network/image-localhost",
        "network/image-schemes", "network/input-image", "network/media", "network/policy-own", "network/srcset",
        "network/svg", "network/svg-image", "script/elements", "script/fetch", "script/fetch-sync", "script/import",
        "script/policy", "script/worker",
    ]
    /// Frames that load from a host.
    private static let frames: Set = ["network/frame", "network/frameset", "network/object"]
    /// Documents that navigate to a host, some of them while their scripts are still waiting.
    private static let navigations: Set = ["script/form", "script/navigate"]
    /// Connections that load nothing.
    private static let ahead: Set = ["network/preconnect", "script/websocket-only"]

    /// The counter-check: without any layer, each document reaches its port, so only the layers prevent that.
    @Test func withoutLayersEachGetsThere() throws {
        let visits = try draw([])
        let expected = Self.loads.union(Self.frames).union(Self.navigations)
        #expect(expected.subtracting(visits.sent).sorted() == [])
        #expect(Self.ahead.subtracting(visits.connected).sorted() == [])
    }

    @Test(arguments: ["namespace", "proxy"]) func aloneItKeepsAllFromTheNetwork(layer: String) throws {
        let visits = try draw([layer])
        #expect(visits.connected.sorted() == [])
    }

    /// The content policy stops neither navigation nor a connection that WebKit opens before a load.
    @Test func theContentPolicyAloneKeepsLoadsAndForms() throws {
        let visits = try draw(["contentPolicy"])
        #expect(visits.connected.intersection(Self.loads.union(Self.frames)).sorted() == [])
        #expect(!visits.connected.contains("script/form"))
        // Only the page's own navigation is sent.
        #expect(visits.sent.subtracting(["network/refresh", "script/navigate", "script/download"]).sorted() == [])
        #expect(visits.sent.contains("script/navigate"))
    }

    /// WebKit may connect before it asks the filter, and then sends nothing.
    @Test func theContentFilterAloneKeepsEveryLoad() throws {
        let visits = try draw(["contentFilter"])
        #expect(visits.sent.sorted() == [])
        #expect(visits.connected.intersection(Self.loads.union(Self.frames)).sorted() == [])
    }

    @Test func theNavigationPolicyAloneKeepsPagesAndFrames() throws {
        let visits = try draw(["navigationPolicy"])
        // Except `script/navigate`, whose link also sends a ping.
        let others: Set = ["network/refresh", "network/frame-refresh", "script/form", "script/download"]
        #expect(visits.sent.intersection(Self.frames.union(others)).sorted() == [])
        // This policy does not stop what a page loads.
        #expect(Self.loads.subtracting(visits.sent).sorted() == [])
    }

    @Test func theFeaturesAloneKeepConnectionsThatNoPolicySees() throws {
        let visits = try draw(["features"])
        #expect(visits.connected.intersection(Self.ahead).sorted() == [])
        #expect(Self.loads.subtracting(visits.sent).sorted() == [])
    }

    /// If any one of WebKit's own layers is missing, the others are enough, even if WebKit's processes can reach the
    /// network.
    @Test(arguments: webKits.sorted()) func theOthersKeepWhatItWouldHave(missing: String) throws {
        let visits = try draw(Self.webKits.subtracting([missing]).sorted())
        #expect(visits.sent.sorted() == [])
        #expect(visits.connected.intersection(Self.loads.union(Self.frames)).sorted() == [])
    }

    /// Draws the documents with only these layers.
    private func draw(_ layers: [String]) throws -> Listener.Visits {
        try withFolder { folder in
            try folder.write("canary.css", "* { background: #c0ffee !important }\n")
            try folder.write("canary.png", MachineTests.png)
            let untouched = try Untouched(["canary.css", "canary.png"].map(folder.path))
            let listener = Listener()
            let paths = try Self.write(to: folder, listener)
            #expect(paths.count >= 60)
            let run = try Child(
                [Offstage.program("LayerProgram")] + layers,
                stdin: Data(paths.joined(separator: "\n").utf8), folder: folder.path
            ).wait()
            let visits = listener.end()
            #expect(run.code == 0 && !run.error.contains("CRITICAL"), "\(run.error)")
            let lines = run.text.split(separator: "\n")
            #expect(lines.last == "namespace\t\(layers.contains("namespace"))")
            // Scripts that can leave the page may do so before its picture is taken.
            let drawn = lines.count { $0.hasSuffix("\tdrawn") }
            #expect(drawn >= paths.count - (layers.contains("navigationPolicy") ? 0 : 5), "\(run.text)")
            // No layer is needed for this: WebKit never reads files, and gives documents from the network no access
            // to them.
            #expect(!untouched.isTouched)
            return visits
        }
    }

    /// Writes each document into its own folder, with the files that it loads, and returns the paths.
    private static func write(to folder: Folder, _ listener: Listener) throws -> [String] {
        try ["network", "files", "script"].flatMap { kind in
            let place = Folder(path: Hostile.place + "/" + kind)
            let texts = try place.files().map { ($0, String(decoding: try place.data($0), as: UTF8.self)) }
            let reaching = texts.filter { file, text in
                file.hasSuffix(".html") && ["__PORT__", "__UDP__", "file:", "-on."].contains { text.contains($0) }
            }
            return try reaching.map { file, text in
                let name = "\(kind)/\(file.dropLast(5))"
                let ports = try listener.open(for: name)
                for (file, text) in texts.filter({ !$0.0.hasSuffix(".html") }) + [(file, text)] {
                    try folder.write("in/\(name)/\(file)", Hostile.replace(in: text, folder, ports.tcp, ports.udp))
                }
                return folder.path("in/\(name)/\(file)")
            }
        }
    }
}
