import Foundation
import Testing

/// No process outlives a run, however the run ends. `StoppingTests` covers interrupted runs.
@Suite struct LeftOverTests {
    private static let runs: [([String], Int32)] = [
        (["render", "good", "--out", "out"], 0), (["render", "good", "bad", "--out", "out"], 1),
        (["render", "good", "--out", "out", "--json"], 1), (["sheet", "pngs", "-o", "sheet.png"], 0),
    ]

    @Test(arguments: runs)
    func afterTheEnd(arguments: [String], code: Int32) throws {
        try withFolder { folder in
            for index in 1...5 { try folder.write("good/\(index).html", row()) }
            try folder.write("bad/a.html", "")
            try folder.write("pngs/a.png", MachineTests.png)
            try folder.make("run")
            // The output of --json cannot be written, which ends this run halfway.
            let output = arguments.contains("--json") ? "/dev/full" : "/dev/null"
            let child = try Child(
                ["sh", "-c", "exec \"$0\" \"$@\" >\(output)", Offstage.path] + arguments,
                environment: ["XDG_CACHE_HOME": folder.path("cache"), "TMPDIR": folder.path("run")],
                folder: folder.path)
            var seen: [ProcessTable.Entry] = []
            let isOver = eventually {
                for process in ProcessTable.descendants(of: child.id) where !seen.contains(process) {
                    seen.append(process)
                }
                return child.hasEnded
            }
            #expect(isOver)
            #expect(try child.wait().code == code)
            #expect(Set(seen.map(\.name)).isSuperset(of: ["Xvfb", "WebKitNetworkPr", "WebKitWebProces"]))
            #expect(seen.filter { $0.isThere } == [], "right at the end")
            // WebKit would leave a file for each sandbox.
            #expect(folder.files("run") == [])
        }
    }
}
