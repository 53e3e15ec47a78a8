import Foundation
import Testing

/// The schemas in `docs` match the program. Another program validates with them.
@Suite struct ManifestSchemaTests {
    @Test(arguments: Schema.allCases) func theFileIsWhatTheProgramPrints(schema: Schema) throws {
        let outcome = try Child([Offstage.path, "--print-schema", schema.rawValue], folder: "/").wait()
        #expect(outcome.code == 0)
        #expect(outcome.text == (try String(contentsOf: schema.file, encoding: .utf8)))
    }

    @Test(arguments: [["--print-schema"], ["--print-schema", "row"]])
    func anotherSchema(arguments: [String]) throws {
        let outcome = try Child([Offstage.path] + arguments, folder: "/").wait()
        #expect(outcome.code == 2)
        #expect(
            outcome.error
                == "offstage: --print-schema takes manifest, request, command, result or annotations; name one of them\n"
        )
    }

    /// Options of a whole run, which single snippets do not have.
    private static let ofARun: Set = [
        "allow-host", "allow-private-addresses",
        "cache", "data", "depfile", "depfile-target", "fonts", "fresh-workers", "grace", "help", "html", "jobs", "json",
        "manifest",
        "max-cpu", "max-elements", "max-points",
        "max-image-pixels", "max-input-bytes", "max-jpeg-scans", "max-memory", "max-pixels", "max-resource-bytes",
        "max-resources",
        "max-seconds", "max-side", "name", "no-cache", "no-sandbox", "out", "output", "pages", "pair", "progress",
        "quiet",
        "refresh", "results",
        "run-timeout",
        "sandbox", "save-html", "suspend-signal", "template", "version", "via", "watch",
    ]

    /// Every other command-line option is a key.
    @Test func everyDrawingOptionIsAKey() throws {
        let help = try Child([Offstage.path, "render", "--help"], folder: "/").wait().text
        let options = Set(help.matches(of: #/(?m)^  (?:-., |    )--([a-z-]+)/#).map { String($0.output.1) })
        #expect(options.isSuperset(of: Self.ofARun))
        let schema = try JSONSerialization.jsonObject(with: Data(contentsOf: Schema.manifest.file)) as? [String: Any]
        let keys = Set((try #require(schema?["properties"] as? [String: Any])).keys)
        #expect(keys == options.subtracting(Self.ofARun).union(["identifier", "html", "file"]))
    }

    private static let good = [
        #"{"identifier": "a", "html": "x"}"#, #"{"identifier": "a", "file": "x"}"#,
        #"{"identifier": "a", "html": "", "width": "fit", "scale": 1.5, "trim": true, "also": ["webp"], "base": "x"}"#,
        #"{"identifier": "a", "html": "", "width": 320, "also": "webp", "timeout": 1}"#,
        #"{"identifier": "a", "html": "", "width": null, "trim": null, "selector": null, "also": null}"#,
        #"{"identifier": "a", "html": "", "width": 320.0}"#,
    ]
    private static let bad = [
        "[]", "{}", #"{"identifier": "a"}"#, #"{"html": "a"}"#, #"{"identifier": "a", "html": "", "file": "b"}"#,
        #"{"identifier": 1, "html": ""}"#, #"{"identifier": "", "html": ""}"#, #"{"identifier": "a", "html": 1}"#,
        #"{"identifier": "a", "html": "", "width": "wide"}"#, #"{"identifier": "a", "html": "", "width": 1.5}"#,
        #"{"identifier": "a", "html": "", "scale": "2"}"#, #"{"identifier": "a", "html": "", "trim": 1}"#,
        #"{"identifier": "a", "html": "", "also": [1]}"#, #"{"identifier": "a", "html": "", "widht": 1}"#,
        #"{"identifier": "a", "html": "", "selector": false}"#,
    ]

    /// The schema and the program agree about each row.
    @Test func anIndependentValidatorAgrees() throws {
        let valid = try Schema.manifest.errors(in: Self.good + Self.bad).map { $0 == nil }
        #expect(valid == Self.good.map { _ in true } + Self.bad.map { _ in false })
        try withFolder { folder in
            try folder.make("x")
            for row in Self.bad {
                try folder.write("rows.jsonl", row)
                let run = try Offstage.run("render", "--manifest", "rows.jsonl", "--out", "out", in: folder)
                #expect(run.code == 2, "\(row)")
            }
            let good = Self.good.enumerated().map { $1.replacing("\"a\"", with: "\"\($0)\"") }
            try folder.write("rows.jsonl", good.joined(separator: "\n"))
            let run = try Offstage.run("render", "--manifest", "rows.jsonl", "--out", "out", "--json", in: folder)
            // A document that cannot be drawn does not make its row invalid.
            #expect(try run.objects.count == good.count, "\(run.error)")
        }
    }
}
