import Foundation
import PageSamples
import Testing

/// A file that already has the bytes of the result is not written again, so build tools have nothing to do.
@Suite struct EqualBytesTests {
    private static let notes =
        #"{"version":1,"pages":{"1":[{"kind":"square","part":{"x":0.25,"y":0.25,"width":0.5,"height":0.125}}]}}"#
    private static let line = #"{"id": "a", "html": "<p>a", "output": "a.png"}"# + "\n"
    private static let ink =
        "<xournal><page width=\"99\" height=\"99\"><layer><stroke tool=\"pen\" color=\"black\" width=\"2\">9 9 90 90</stroke>"
        + "</layer></page></xournal>"

    @Test(arguments: [
        ["render", "in", "--out", "out", "--depfile", "d", "--save-html", "--refresh"],
        ["render", "in", "--out", "out", "--no-cache"], ["pipe", "--out", "out", "--no-cache"],
        ["pipe", "--out", "out", "--refresh"], ["sheet", "pictures", "-o", "out/sheet.png"],
        ["convert", "a.xopp", "out/a.inkml"], ["convert", "a.pdf", "out/b.pdf", "--annotations"],
    ]) func equalFilesKeepTheirTime(arguments: [String]) throws {
        try withFolder { folder in
            try folder.write("in/a.html", row())
            try folder.write("pictures/a.png", MachineTests.png)
            try folder.write("a.xopp", Data(Self.ink.utf8))
            try folder.write("a.pdf", TestPDF("q Q").data)
            try folder.write("a.pdf.annotations.json", Data(Self.notes.utf8))
            try folder.make("out")
            func run() throws {
                let outcome = try Child(
                    [Offstage.path] + arguments, stdin: arguments[0] == "pipe" ? Data(Self.line.utf8) : Data(),
                    environment: ["XDG_CACHE_HOME": folder.path(".cache")], folder: folder.path
                ).wait()
                #expect(outcome.code == 0, "\(outcome.error)")
            }
            try run()
            let made = ["out/", "d"]
            let files = folder.files().filter { file in made.contains { file.hasPrefix($0) } }
            #expect(!files.isEmpty)
            let past = Date(timeIntervalSince1970: 1_000_000_000)
            for file in files {
                try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: folder.path(file))
            }
            try run()
            for file in files {
                let time = try FileManager.default.attributesOfItem(atPath: folder.path(file))[.modificationDate]
                #expect(time as? Date == past, "\(file)")
            }
        }
    }
}
