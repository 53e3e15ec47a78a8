import Foundation
import Testing

/// Short forms of `make fuzz` and `make soak`.
@Suite(.serialized) struct EnduranceTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    /// The seed is fixed, so the inputs are the same each time.
    @Test func mutatedDocumentsGiveAPictureOrAnError() throws {
        try withFolder { folder in
            let outcome = try run(["fuzz", "12", "42", Self.root + "/Snippets"], in: folder)
            #expect(outcome.code == 0, "\(outcome.text)\(outcome.error)")
            #expect(outcome.text.hasPrefix("seed 42, "))
            #expect(outcome.text.contains(#/\n[0-9]{2,} inputs: [1-9][0-9]* picture/#))
            #expect(outcome.text.contains(#/\nengine restarted [0-9]+ times\n/#))
        }
    }

    @Test func rowsAreTheSameWhileProcessesAreKilled() throws {
        try withFolder { folder in
            let outcome = try run(
                ["soak", "400", Self.root + "/Snippets", Self.root + "/Tests/Hostile"], in: folder)
            #expect(outcome.code == 0, "\(outcome.text)\(outcome.error)")
            #expect(outcome.text.contains(#/400 rows, [0-9]+ of them hostile, [1-9][0-9]* processes killed/#))
            #expect(outcome.text.contains("good rows that differ: 0, "))
            #expect(folder.files() == [])
        }
    }

    private func run(_ arguments: [String], in folder: Folder) throws -> Outcome {
        let program = Offstage.program("endure")
        return try Child([program] + arguments, environment: ["TMPDIR": folder.path], folder: folder.path)
            .wait()
    }
}
