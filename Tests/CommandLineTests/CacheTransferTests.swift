import Foundation
import Testing

/// `offstage cache export` and `offstage cache import`.
@Suite struct CacheTransferTests {
    private func render(_ folder: Folder) throws {
        let outcome = try Offstage.run("render", "in", "--out", "out", "--cache", "cache", in: folder)
        #expect(outcome.code == 0, "\(outcome.error)")
    }

    /// Imported pictures are returned from the cache at the new location.
    @Test func exportedPicturesAreNotDrawnAgain() throws {
        try withFolder { folder in
            // Equal documents would share a drawing and, if it is ready in time, its picture.
            try folder.write("in/a.html", row("red"))
            try folder.write("in/b.html", row("blue"))
            try render(folder)
            func cache(_ arguments: String..., cache: String = "cache") throws -> Outcome {
                try Child([Offstage.path, "cache"] + arguments + ["--cache", cache], folder: folder.path).wait()
            }
            #expect(try cache("export", "exported").text == "2 pictures copied\n")
            #expect(try cache("export", "exported").text == "0 pictures copied, 2 already there\n")
            let imported = try cache("import", "exported", "--json", cache: "other").objects
            #expect(imported.first as? [String: Int] == ["copied": 2, "known": 0, "left": 0, "matching": 2])
            let again = try Child(
                [Offstage.path, "render", "in", "--out", "elsewhere", "--cache", "other", "--json"], folder: folder.path
            ).wait()
            #expect(try again.objects.compactMap { $0["kept"] as? Bool } == [true, true])
            #expect(try cache("verify", cache: "other").text == "2 pictures checked, 0 damaged\n")

            for (arguments, message) in [
                (["export"], "cache export needs one folder: offstage cache export FOLDER"),
                (["import", "a", "b"], "cache import needs one folder: offstage cache import FOLDER"),
                (["import", "in"], "in is not an exported cache; make one with: offstage cache export FOLDER"),
                (["export", "cache"], "the folder is the cache itself; name another folder"),
            ] {
                let wrong = try Child(
                    [Offstage.path, "cache"] + arguments + ["--cache", "cache"], folder: folder.path
                ).wait()
                #expect(wrong.code == 2)
                #expect(wrong.errorLines == ["offstage: \(message)"])
            }
        }
    }
}
