import Foundation
import Testing

/// Documents that try to exhaust time and memory, or to crash the engine: at most the document's own result fails, and
/// the document ends as its first line states. The pictures drawn between them have the same bytes as without them.
@Suite(.serialized) struct HostileLimitsTests {
    /// The outcomes that documents can declare, and the text that their errors contain; nil for a picture. Any other
    /// error fails the test.
    private static let ends: [String: String?] = [
        "drawn": nil, "crashed": "the process that drew it crashed; the engine has replaced it",
        "max-input-bytes": ", but the limit max-input-bytes is ", "max-elements": ", but the limit max-elements is ",
        "max-image-pixels": ", but the limit max-image-pixels is ", "max-memory": ", but the limit max-memory is ",
        "too-large": " device px is too large; ",
        "no-height": "the content has no height", "entities": "its entities and default attributes expand",
        "uses": "its use elements repeat more than ", "hung": "gave no answer for ",
        "too-many-messages": "scripts sent too many messages",
    ]
    /// Separates the possible outcomes of a document if they depend on the machine's speed or WebKit's version.
    private static let other = " or "

    /// None of these documents ends because of its time limit, however slow the machine is.
    @Test func eachEndsAsItSays() throws {
        let documents = try HostileDocument.all("limits", "crash").filter { try !$0.end.hasPrefix("hung") }
        let ends = try documents.flatMap { try $0.end.components(separatedBy: Self.other) }
        let counts = Dictionary(ends.map { ($0, 1) }, uniquingKeysWith: +)
        #expect(counts["drawn"] ?? 0 >= 25, "\(counts)")
        #expect(counts["max-image-pixels"] ?? 0 >= 30, "\(counts)")
        for end in Self.ends.keys where !["hung", "max-elements"].contains(end) {
            #expect(counts[end] ?? 0 >= 1, "nothing tries \(end)")
        }
        for part in Self.parts(of: documents) { try draw(part, seconds: 3600, grace: 3600) }
    }

    /// Each document has a fifth of a second, including documents that never end.
    @Test func timeIsLimited() throws {
        let documents = try HostileDocument.all("limits", "crash").filter { try $0.end.hasPrefix("hung") }
        #expect(documents.count >= 40)
        #expect(try documents.count { try $0.end == "hung" } >= 5)
        for part in Self.parts(of: documents) { try draw(part, seconds: 0.2, grace: 0.3) }
    }

    /// Several documents per run, because on a slow machine all of them together take minutes.
    private static func parts(of documents: [HostileDocument]) -> [[HostileDocument]] {
        stride(from: 0, to: documents.count, by: 16).map { Array(documents[$0..<min($0 + 16, documents.count)]) }
    }

    private func draw(_ documents: [HostileDocument], seconds: Double, grace: Double) throws {
        try withFolder { folder in
            var rows: [String] = []
            var calm: [String] = []
            for (index, document) in documents.enumerated() {
                try document.write(to: folder.path("in/\(document.name).html"))
                rows.append(
                    #"{"identifier": "\#(document.name)", "file": "in/\#(document.name).html", "timeout": \#(seconds), "#
                        + #""javascript": \#(document.hasScript)}"#)
                if index.isMultiple(of: 4) {
                    calm.append(Self.neighbour(index))
                    rows.append(Self.neighbour(index))
                }
            }
            try folder.write("all.jsonl", rows.joined(separator: "\n"))
            try folder.write("calm.jsonl", calm.joined(separator: "\n"))
            // A row can shorten the time, but not extend it.
            let limits = [
                "--no-cache", "--jobs", "2", "--timeout", "\(max(seconds, 10))", "--grace", "\(grace)", "--max-memory",
                "1500000000",
            ]
            let outcome = try Child(
                [Offstage.path, "render", "--manifest", "all.jsonl", "--out", "out", "--json"] + limits,
                folder: folder.path
            ).wait()
            let objects = try outcome.objects
            #expect(outcome.code == (objects.contains { $0["error"] != nil } ? 1 : 0), "\(outcome.error)")
            #expect(objects.count == rows.count)
            let ends = Dictionary(uniqueKeysWithValues: try documents.map { ($0.name, try $0.end) })
            for object in objects {
                let name = try #require(object["identifier"] as? String)
                let end = name.hasPrefix("calm/") ? "drawn" : try #require(ends[name])
                try expect(object["error"] as? String, end, name)
                if object["error"] == nil {
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

    private func expect(_ error: String?, _ end: String, _ name: String) throws {
        let isExpected = try end.components(separatedBy: Self.other).contains { end in
            let words = try #require(Self.ends[end], "\(name) ends in no known way: \(end)")
            return words.map { error?.contains($0) == true } ?? (error == nil)
        }
        #expect(isExpected, "\(name) should be \(end): \(error ?? "a picture")")
    }

    private static func neighbour(_ index: Int) -> String {
        #"{"identifier": "calm/\#(index)", "html": "<h2 style='color:rgb(\#(index),0,90)'>Row \#(index)</h2><p>Ἀθῆναι 漢字"}"#
    }
}
