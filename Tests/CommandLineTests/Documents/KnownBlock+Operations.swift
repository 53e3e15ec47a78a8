import Foundation
import Testing

extension KnownBlock {
    static let ofOperations = [
        make("docs/operations.md", "make install PREFIX=/usr/local DESTDIR="),
        make("docs/operations.md", "make deb MAINTAINER='A Name <name@host>'"),
        KnownBlock("docs/operations.md", "sh", "offstage serve --socket http.sock &") { block in
            try withFolder { folder in
                try run(block.text, in: folder)
                #expect(try folder.picture("hello.png").width == 320)
                #expect(try folder.picture("greek.png").width == 400)
            }
        },
        KnownBlock("docs/operations.md", "sh", "offstage serve --socket peaks.sock &") { block in
            try withFolder { folder in
                try folder.write("song.wav", Sound.wav(seconds: 4))
                try run(block.text, in: folder)
                let data = FileManager.default.contents(atPath: folder.path("part.json")) ?? Data()
                let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
                #expect(object?["samples_per_pixel"] as? Int == 400)
                #expect(object?["length"] as? Int == 60)
            }
        },
        unit("# /etc/systemd/system/offstage.socket.d/override.conf"),
        unit("# /etc/systemd/system/offstage.service.d/override.conf"),
        KnownBlock("docs/operations.md", "text", "3f9c0e2b7d514a86a1c2d3e4f5061728 website share=4") { block in
            try withFolder { folder in
                try folder.write("tokens", block.text)
                chmod(folder.path("tokens"), 0o600)
                let service = try Service(["--token-file", "tokens"], in: folder)
                for line in block.text.split(separator: "\n") {
                    let token = line.split(separator: " ")[0]
                    #expect(try service.ask("GET", "/metrics", ["Authorization": "Bearer \(token)"]).status == 200)
                }
            }
        },
        KnownBlock("docs/operations.md", "sh", "openssl rand -hex 32 > token") { block in
            try withFolder { folder in
                // A free port instead of the one in the guide.
                let outcome = try run(block.text.replacing("8808", with: "\(try freePort())"), in: folder)
                #expect(outcome.text == "401\n200\n")
                #expect(String(decoding: try folder.data("refused.json"), as: UTF8.self).contains("Unauthorized"))
                #expect(String(decoding: try folder.data("metrics.txt"), as: UTF8.self).contains("offstage_build_info"))
            }
        },
        // The line that the service writes, except for its numbers.
        KnownBlock(
            "docs/operations.md", "text", "2026-11-27T09:30:00.125Z website 4711 POST /v1/images 200 1606 5.1 ms drawn"
        ) { block in
            try withFolder { folder in
                try Tokens.write(["website"], in: folder)
                let service = try Service(["--token-file", "tokens"], in: folder)
                #expect(try service.draw(row(), "", Tokens.header("website")).status == 200)
                let outcome = try service.stop()
                func shape(_ line: String) -> String {
                    line.split(separator: " ").map { word in
                        if word.contains(#/^\d{4}-\d\d-\d\dT[\d:.]+Z$/#) { return "TIME" }
                        return Double(word) == nil || word == "200" ? String(word) : "0"
                    }.joined(separator: " ")
                }
                #expect(outcome.errorLines.map(shape).contains(shape(block.text)), "\(outcome.error)")
            }
        },
        KnownBlock("docs/operations.md", "yaml", "# /etc/prometheus/prometheus.yml") { block in
            try promtool(["check", "config", "--syntax-only"], block)
        },
        KnownBlock("docs/operations.md", "yaml", "# /etc/prometheus/offstage.rules.yml") { block in
            try promtool(["check", "rules"], block)
            try promtool(["test", "rules"], block, among: ["tests.yml": ruleTests])
            // The service reports every metric that the rules use.
            try withFolder { folder in
                let service = try Service(in: folder)
                _ = try service.draw(row())
                let metrics = try service.ask("GET", "/metrics").text
                for name in block.text.components(separatedBy: "offstage_").dropFirst() {
                    let name = "offstage_" + name.prefix { $0.isLetter || $0 == "_" }
                    #expect(metrics.contains("\n\(name)"), "there is no \(name)")
                }
                #expect(try service.stop().code == 0)
            }
        },
        KnownBlock("docs/operations.md", "sh", "offstage render Snippets --out out --cache shared &") { block in
            try withFolder { folder in
                let outcome = try run(block.text, in: folder)
                let snippets = folder.files("Snippets").filter { $0.hasSuffix(".html") }
                #expect(folder.files("out").count == snippets.count)
                #expect(outcome.text.hasPrefix("\(snippets.count) pictures"))
            }
        },
    ]

    static let ofTroubleshooting = [
        KnownBlock("docs/troubleshooting.md", "sh", "offstage doctor") { block in
            try withFolder { folder in
                let outcome = try run(block.text, in: folder)
                #expect(outcome.text.hasSuffix("Drawing works here.\n"))
            }
        },
        KnownBlock(
            "docs/troubleshooting.md", "sh",
            "offstage render Snippets/chat-greek.html -o chat.png --save-html --json --refresh"
        ) { block in
            try withFolder { folder in
                let outcome = try run(block.text, in: folder)
                #expect(outcome.text.contains(#""status":"drawn""#))
                #expect(outcome.text.contains("chat.png: cached; it would not be rendered again"))
                let source = Document.root.appendingPathComponent("Snippets/chat-greek.html")
                #expect(try folder.data("chat.html") == Data(contentsOf: source))
            }
        },
    ]

    /// Part of a unit, combined with the units in the repository and read by systemd.
    private static func unit(_ firstLine: String) -> KnownBlock {
        KnownBlock("docs/operations.md", "ini", firstLine) { block in
            try withFolder { folder in
                let units = Document.root.appendingPathComponent("Packaging/systemd")
                func write(_ name: String, _ text: String) throws {
                    try folder.write(name, text.replacing("/usr/bin/offstage", with: Offstage.path))
                }
                for name in ["offstage.service", "offstage.socket"] {
                    try write(name, String(contentsOf: units.appendingPathComponent(name), encoding: .utf8))
                }
                try write(firstLine.replacing("# /etc/systemd/system/", with: ""), block.text)
                let outcome = try Child(
                    ["/usr/bin/systemd-analyze", "verify", "--man=no", "./offstage.service", "./offstage.socket"],
                    environment: ["SYSTEMD_UNIT_PATH": folder.path + ":"], folder: folder.path
                ).wait()
                #expect(outcome.code == 0, "\(outcome.error)")
                #expect(outcome.error == "")
            }
        }
    }

    /// - Parameter others: files beside the block's file, `offstage.yml`. If there are any, the command applies to
    ///   them.
    private static func promtool(
        _ command: [String], _ block: Document.Block, among others: [String: String] = [:]
    ) throws {
        try withFolder { folder in
            try folder.write("offstage.yml", block.text + "\n")
            for (name, text) in others { try folder.write(name, text) }
            let names = others.isEmpty ? ["offstage.yml"] : others.keys.sorted()
            let outcome = try Child(["/usr/bin/promtool"] + command + names, folder: folder.path).wait()
            #expect(outcome.code == 0, "\(outcome.error)\(outcome.text)")
        }
    }

    /// The alerts for a service that fails one request in ten, falls behind, and has half of the requested pictures
    /// in its cache.
    private static let ruleTests = """
        rule_files: [offstage.yml]
        tests:
          - interval: 1m
            input_series:
              - {series: 'offstage_events_total{kind="submitted"}', values: "0+100x30"}
              - {series: 'offstage_events_total{kind="failed"}', values: "0+10x30"}
              - {series: 'offstage_events_total{kind="drawn"}', values: "0+45x30"}
              - {series: 'offstage_events_total{kind="hit-on-disk"}', values: "0+45x30"}
              - {series: offstage_drawings_waiting, values: "900x30"}
              - {series: offstage_web_process_restarts_total, values: "0x30"}
            alert_rule_test:
              - eval_time: 25m
                alertname: OffstageFailing
                exp_alerts:
                  - exp_annotations: {summary: "One picture in twenty fails"}
              - eval_time: 25m
                alertname: OffstageBehind
                exp_alerts:
                  - exp_annotations:
                      summary: "Drawings come faster than they are drawn; more --jobs, or another machine"
              - {eval_time: 25m, alertname: OffstageRestarts, exp_alerts: []}
            promql_expr_test:
              - expr: offstage:kept:ratio
                eval_time: 25m
                exp_samples: [{labels: "offstage:kept:ratio", value: 0.5}]

        """

    /// A loopback port that was free a moment ago.
    private static func freePort() throws -> Int {
        let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(file) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(file, $0, size) == 0 ? getsockname(file, $0, &size) : -1
            }
        }
        try #require(code == 0)
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
