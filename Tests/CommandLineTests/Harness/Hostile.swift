import Foundation
import Testing

/// The documents of Tests/Hostile in a temporary folder, with everything that they try to reach: ports, a canary
/// outside their folders, and links, pipes and sockets inside them.
struct Hostile {
    struct Document {
        /// A name such as `network/image`.
        var name: String
        var tries: String
        /// The status from `--json` and the codes of all warnings, such as `incomplete (resource-blocked)`. A picture
        /// may also lack something because its time was up.
        var outcome: String
        var needsScripts: Bool { name.hasPrefix("script/") || name.hasPrefix("state/script-") }
    }

    let folder: Folder
    let documents: [Document]
    let doors: Doors
    let untouched: Untouched

    static let canary: [UInt8] = [0xC0, 0xFF, 0xEE, 0xFF]
    private static let kinds = ["network", "files", "script", "state"]
    static let place: String = {
        let file = URL(fileURLWithPath: #filePath)
        return file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Hostile").path
    }()

    /// Runs a program that cannot create network namespaces.
    static let withoutNamespaces = [
        "unshare", "--user", "--map-root-user", "sh", "-c",
        #"echo 0 > /proc/sys/user/max_net_namespaces && exec "$@""#, "sh",
    ]

    static func with(_ body: (Hostile) throws -> Void) throws {
        try withFolder { folder in
            let doors = try Doors()
            try folder.write("in/canary.css", "* { background: #c0ffee !important }\n")
            try folder.write("canary.html", row("#c0ffee"))
            #expect(try Offstage.run("render", "canary.html", "-o", "in/canary.png", "-q", in: folder).code == 0)
            let documents = try copy(to: folder, doors)
            let sockets = try prepare(folder)
            defer { for socket in sockets { close(socket) } }
            let untouched = try Untouched(["in/canary.css", "in/canary.png"].map(folder.path))
            try body(Hostile(folder: folder, documents: documents, doors: doors, untouched: untouched))
        }
    }

    /// Draws all documents in one view, one after the other, and checks that nothing outside noticed. Returns their
    /// outcomes by name.
    func draw(_ options: [String], inNamespace: Bool) throws -> [String: String] {
        let outcome = try Child(
            (inNamespace ? [] : Self.withoutNamespaces) + [
                Offstage.path, "render", ".", "--out", "../out", "--json", "--jobs", "1", "--timeout", "3",
                "--no-cache",
            ] + options, folder: folder.path("in")
        ).wait()
        #expect(outcome.code == 0, "\(outcome.error)")
        #expect(doors.visitors() == 0)
        #expect(!untouched.isTouched)
        var statuses: [String: String] = [:]
        for object in try outcome.objects {
            let name = try #require(object["identifier"] as? String)
            let warnings = object["warnings"] as? [[String: Any]] ?? []
            let codes = Set(warnings.compactMap { $0["code"] as? String }).sorted()
            let status = try #require(object["status"] as? String)
            statuses[name] = codes.isEmpty ? status : "\(status) (\(codes.joined(separator: ", ")))"
            #expect(try folder.picture("out/\(name).png").count(of: Self.canary) == 0, "\(name) got hold of something")
        }
        #expect(statuses.count == documents.count)
        return statuses
    }

    private static func copy(to folder: Folder, _ doors: Doors) throws -> [Document] {
        var documents: [Document] = []
        for kind in kinds {
            for file in Folder(path: place + "/" + kind).files() {
                var text = String(decoding: try Folder(path: place + "/" + kind).data(file), as: UTF8.self)
                if file.hasSuffix(".html") {
                    let line = try #require(
                        text.wholeMatch(of: #/(?s)<!-- ([^\n]+)\. Outcome: ([a-z]+(?: \([a-z, -]+\))?) -->\n.*/#),
                        "\(file)")
                    let name = "\(kind)/\(file.dropLast(5))"
                    documents.append(Document(name: name, tries: String(line.1), outcome: String(line.2)))
                }
                text = replace(in: text, Folder(path: folder.path("in")), doors.tcp, doors.udp)
                try folder.write("in/\(kind)/\(file)", text)
            }
        }
        return documents
    }

    /// Inserts ports and the canary's path into a document.
    ///
    /// - Parameter folder: the folder that contains the canary.
    static func replace(in text: String, _ folder: Folder, _ tcp: UInt16, _ udp: UInt16) -> String {
        let canary = folder.path("canary.png")
        let tokens = [
            ("__PORT__", "\(tcp)"), ("__UDP__", "\(udp)"), ("__CANARY_REST__", String(canary.dropFirst())),
            ("__CANARY_FOLDER__", folder.path), ("__CANARY__", canary),
        ]
        return tokens.reduce(text) { $0.replacing($1.0, with: $1.1) }
    }

    /// Creates files that a repository cannot contain. Returns the sockets, which the caller must close.
    private static func prepare(_ folder: Folder) throws -> [Int32] {
        let files = try folder.make("in/files")
        let (links, odd) = (try files.make("links"), try files.make("odd"))
        for (name, target) in [
            ("out.png", "../../canary.png"), ("absolute.png", folder.path("in/canary.png")), ("outside", "../.."),
            ("chain.png", "out.png"), ("chain.css", "../../canary.css"), ("loop.png", "loop.png"),
            ("self", "/proc/self"),
            ("root", "/"),
        ] { try FileManager.default.createSymbolicLink(atPath: links.path(name), withDestinationPath: target) }
        for device in ["zero", "random", "tty"] {
            try FileManager.default.createSymbolicLink(
                atPath: odd.path(device + ".png"), withDestinationPath: "/dev/" + device)
        }
        for name in ["fifo.png", "fifo.css"] where mkfifo(odd.path(name), 0o600) != 0 {
            throw Child.Failure(description: "no FIFO")
        }
        // A socket's path must be short, so the socket is created elsewhere and moved.
        let short = NSTemporaryDirectory() + "offstage-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        let file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: short.utf8) }
        let code = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard code == 0, rename(short, odd.path("socket.png")) == 0 else {
            throw Child.Failure(description: "no socket: \(String(cString: strerror(errno)))")
        }
        return [file]
    }
}
