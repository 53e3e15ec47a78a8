import Foundation
import Testing

/// Documents that try to exhaust time and memory, or to end the engine: each gives a picture or an error, and the pictures
/// drawn between them have the same bytes as without them.
@Suite struct HostileLimitsTests {
    @Test func eachCostsOneResultAtMost() throws {
        let documents = try HostileDocument.all("limits", "crash")
        #expect(documents.count >= 50)
        try withFolder { folder in
            var rows: [String] = []
            var calm: [String] = []
            for (index, document) in documents.enumerated() {
                #expect(document.source.hasPrefix("<!-- "), "\(document.name) does not say what it tries")
                try document.write(to: folder.path("in/\(document.name).html"))
                rows.append(
                    #"{"identifier": "\#(document.name)", "file": "in/\#(document.name).html", "timeout": 0.2, "#
                        + #""javascript": \#(document.hasScript)}"#)
                if index.isMultiple(of: 4) {
                    calm.append(Self.neighbour(index))
                    rows.append(Self.neighbour(index))
                }
            }
            try folder.write("all.jsonl", rows.joined(separator: "\n"))
            try folder.write("calm.jsonl", calm.joined(separator: "\n"))
            let limits = ["--no-cache", "--jobs", "2", "--grace", "0.3", "--max-memory", "1500000000"]
            let outcome = try Child(
                [Offstage.path, "render", "--manifest", "all.jsonl", "--out", "out", "--json"] + limits,
                folder: folder.path
            ).wait()
            #expect(outcome.code == 1, "\(outcome.error)")
            let objects = try outcome.objects
            #expect(objects.count == rows.count)
            for object in objects {
                let name = object["identifier"] as? String ?? "?"
                if let error = object["error"] as? String {
                    #expect(!name.hasPrefix("calm/"), "\(error)")
                    #expect(Self.reasons.contains { error.contains($0) }, "\(name): \(error)")
                } else {
                    #expect(throws: Never.self, "\(name)") { _ = try folder.picture("out/\(name).png") }
                }
            }
            let quiet = try Child(
                [Offstage.path, "render", "--manifest", "calm.jsonl", "--out", "calm", "-q", "--no-cache"],
                folder: folder.path
            ).wait()
            #expect(quiet.code == 0, "\(quiet.error)")
            for name in folder.files("calm") {
                #expect(try folder.data("out/\(name)") == folder.data("calm/\(name)"), "\(name) has other bytes")
            }
            #expect(folder.files("calm").count == calm.count)
        }
    }

    /// The expected reasons; any other error fails the test.
    private static let reasons = [
        "gave no answer for", "drew it crashed", "the limit max-", "is too large; ", "has no height",
        // A page that changes while it is painted.
        "could not draw it", "its entities and default attributes multiply",
        "its use elements repeat", "its data URIs contain images in images",
    ]

    private static func neighbour(_ index: Int) -> String {
        #"{"identifier": "calm/\#(index)", "html": "<h2 style='color:rgb(\#(index),0,90)'>Row \#(index)</h2><p>Ἀθῆναι 漢字"}"#
    }
}
