import Foundation
import Testing

/// Every command and code block of the README does what it says there.
@Suite struct ReadmeTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The fenced blocks of a language, in their order.
    private static func blocks(_ language: String) throws -> [String] {
        let text = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
        return text.components(separatedBy: "\n```\(language)\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```\n").first
        }
    }

    /// The two commands are CI's to run: each builds the project.
    @Test func twoCommandsComeFirst() throws {
        #expect(try Self.blocks("sh").prefix(2) == ["make run", "make test"])
    }

    @Test func commandsRun() throws {
        let block = try #require(try Self.blocks("sh").dropFirst(2).first)
        try withFolder { folder in
            try run(block, seconds: 120, in: folder)
            // What each line says it makes.
            let snippets = folder.files("Snippets").filter { $0.hasSuffix(".html") }
            #expect(folder.files("out").count == snippets.count)
            #expect(try folder.picture("chat.png").width == 320)
            #expect(try folder.picture("hello.png").width == 400)
            #expect(try folder.picture("sheet.png").height > 1000)
            let results = try String(contentsOfFile: folder.path("results.jsonl"), encoding: .utf8)
            #expect(results.split(separator: "\n").count == snippets.count)
        }
    }

    @Test func thePageThatWaitsIsDrawnWhenItIsReady() throws {
        let block = try #require(try Self.blocks("html").first { $0.contains("data-offstage") })
        try withFolder { folder in
            try folder.write("a.html", block)
            let outcome = try Offstage.run(
                "render", "a.html", "-o", "a.png", "--javascript", "--strict", in: folder)
            #expect(outcome.code == 0, "\(outcome.error)")
            #expect(try folder.picture("a.png").count(of: [0, 0, 0, 255]) == 200 * 60)
            // The document is held up: without scripts nobody ends that, and nobody heeds it.
            let plain = try Offstage.run("render", "a.html", "-o", "b.png", "--strict", in: folder)
            #expect(plain.code == 0, "\(plain.error)")
            #expect(try folder.picture("b.png").count(of: [0, 0, 0, 255]) == 0)
        }
    }

    /// Runs a block as a user would who stands in the repository, with its Snippets.
    private func run(_ block: String, seconds: Double, in folder: Folder) throws {
        try FileManager.default.copyItem(
            at: Self.root.appendingPathComponent("Snippets"), to: URL(fileURLWithPath: folder.path("Snippets")))
        let programs = (Offstage.path as NSString).deletingLastPathComponent
        let outcome = try Child(
            ["/bin/sh", "-e", "-c", block], environment: ["PATH": programs + ":/usr/bin:/bin"], folder: folder.path
        ).wait(seconds: seconds)
        #expect(outcome.code == 0, "\(outcome.error)")
    }

    @Test func theServiceAnswers() throws {
        let block = try #require(try Self.blocks("sh").first { $0.contains("offstage serve") })
        try withFolder { folder in
            try run(block, seconds: 60, in: folder)
            #expect(try folder.picture("hello.png").width == 320)
            #expect(try folder.picture("greek.png").width == 400)
        }
    }

    @Test func manyRowsRun() throws {
        let block = try #require(try Self.blocks("sh").dropFirst(3).first)
        let rows = try Self.blocks("jsonl")
        try #require(rows.count == 2)
        try withFolder { folder in
            try folder.write("rows.jsonl", rows[0])
            try folder.write("people.jsonl", rows[1])
            try folder.write("card.html", try #require(try Self.blocks("html").first { $0.contains("__NAME__") }))
            try run(block, seconds: 120, in: folder)
            #expect(
                folder.files("out") == [
                    "ada@2x.png", "bob@2x.png", "chat/greek.png", "chat/greek.thumb-120x120.png", "chat/greek.webp",
                    "index.html", "status/open.png",
                ])
            #expect(try folder.picture("out/ada@2x.png").width == 600)
        }
    }

    @Test func thePipeRuns() throws {
        let block = try #require(try Self.blocks("sh").first { $0.contains("offstage pipe") })
        try withFolder { folder in
            try run(block, seconds: 60, in: folder)
            #expect(folder.files("out") == ["chat/1.png", "chat/1.webp", "greek.png"])
            let lines = try String(contentsOfFile: folder.path("results.jsonl"), encoding: .utf8).split(separator: "\n")
            #expect(try Schema.result.errors(in: lines.map(String.init)).allSatisfy { $0 == nil })
            #expect(lines.count == 4 && lines.last?.contains("finish") == true)
        }
    }

    /// The path of an example that is a block of the README, word for word.
    private static func example(_ number: Int, _ name: String) throws -> String {
        let blocks = try blocks("swift")
        try #require(blocks.count == 3)
        let example = root.appendingPathComponent("Examples/\(name)/main.swift")
        #expect(try String(contentsOf: example, encoding: .utf8) == blocks[number] + "\n")
        return (Offstage.path as NSString).deletingLastPathComponent + "/" + name.lowercased()
    }

    @Test func theSharedRendererKeepsItsRows() throws {
        let program = try Self.example(1, "Rows")
        try withFolder { folder in
            let cache = ["XDG_CACHE_HOME": folder.path("cache")]
            for drawn in [2, 0] {
                let outcome = try Child([program], environment: cache, folder: folder.path).wait()
                #expect(outcome.code == 0, "\(outcome.error)")
                #expect(outcome.text == "\(drawn) drawn\n")
                #expect(try folder.picture("Bob.png").width == 300)
                #expect(try folder.picture("Ada.png")[299, 0] == [0xEE, 0xEE, 0xFF, 0xFF])
                try FileManager.default.removeItem(atPath: folder.path("Ada.png"))
            }
            // One that another program's names would not mix with.
            #expect(FileManager.default.fileExists(atPath: folder.path("cache/offstage/rows/pictures.sqlite")))
        }
    }

    /// It needs a display for windows: here only that it is built from these lines; the list has tests of its own.
    @Test func theListIsBuilt() throws {
        let program = try Self.example(2, "List")
        #expect(FileManager.default.isExecutableFile(atPath: program))
    }

    @Test func theSwiftProgramRuns() throws {
        let program = try Self.example(0, "Hello")
        try withFolder { folder in
            let outcome = try Child([program], folder: folder.path).wait()
            #expect(outcome.code == 0, "\(outcome.error)")
            let picture = try folder.picture("hello.png")
            #expect(outcome.text == "\(picture.width) × \(picture.height) device px, warnings: []\n")
            #expect(picture.width == 640)
        }
    }
}
