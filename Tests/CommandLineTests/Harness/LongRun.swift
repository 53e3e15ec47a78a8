import Foundation
import Testing

/// A program in the middle of a long run, and its descendant processes.
struct LongRun {
    let child: Child
    let processes: [ProcessTable.Entry]
    let folder: Folder

    static let count = 500

    /// Starts a run over hundreds of files. Calls `body` once pictures appear and the processes exist: an X server, a
    /// network process and two web processes.
    static func with(_ options: [String] = [], _ body: (LongRun) throws -> Void) throws {
        try withFolder { folder in
            for index in 1...count { try folder.write("in/\(index).html", row("rgb(\(index % 256),0,0)", height: 300)) }
            try folder.make("tmp")
            let child = try Child(
                [Offstage.path, "render", "in", "--out", "out", "--jobs", "2", "-q"] + options,
                environment: ["TMPDIR": folder.path("tmp")], folder: folder.path)
            #expect(eventually { folder.files("out").count > 20 || child.hasEnded })
            let processes = ProcessTable.descendants(of: child.id)
            for name in ["Xvfb", "WebKitNetworkPr", "WebKitWebProces"] {
                #expect(processes.contains { $0.name == name }, "\(name) is not in \(processes)")
            }
            #expect(!child.hasEnded)
            try body(LongRun(child: child, processes: processes, folder: folder))
        }
    }

    /// The processes that still exist.
    var leftOver: [ProcessTable.Entry] { processes.filter(\.isThere) }

    /// The number of pictures so far. Read it after the event that should end the run.
    var pictures: Int { folder.files("out").count }

    /// Checks that the run ended at once: since then, it has finished no more pictures than can be in progress at a
    /// time.
    func expectNoFurtherPictures(since before: Int) {
        // Two pictures are drawn at a time; others are being encoded and written.
        #expect(pictures <= before + 20, "\(before) before, \(pictures) at the end")
    }

    /// Checks that the output folder contains only complete pictures, and not all of them.
    func expectWholePicturesOnly() throws {
        let files = folder.files("out")
        #expect(files.count < Self.count, "the run was over before it was stopped")
        for file in files {
            #expect(file.hasSuffix(".png"), "left over: \(file)")
            #expect(throws: Never.self) { _ = try folder.picture("out/" + file) }
        }
    }
}
