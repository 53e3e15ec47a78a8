import Foundation
import Testing

/// `offstage browse` as other programs see it on the accessibility bus.
@Suite struct ScreenReaderTests {
    /// The reader starts its own display and buses, and ends when no process is left.
    @Test(arguments: ["read_list.py", "read_grid.py"])
    func theWholeViewIsReadAndOperated(script: String) throws {
        try withFolder { folder in
            let script = Document.root.path + "/Tests/ScreenReader/" + script
            let outcome = try Child(
                ["/usr/bin/python3", "-B", script, Offstage.path], environment: ["DISPLAY": nil],
                folder: folder.path
            ).wait()
            #expect(outcome.code == 0, "\(outcome.error)")
            #expect(outcome.text == "read\n")
        }
    }
}
