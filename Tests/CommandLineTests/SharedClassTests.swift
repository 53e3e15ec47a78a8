import Foundation
import Testing

/// The class of a machine: everything that affects its pixels.
@Suite struct SharedClassTests {
    private func checks(_ program: String, _ url: String, in folder: Folder) throws -> [[String: String]] {
        let outcome = try Child([program, "doctor", "--shared", url, "--json"], folder: folder.path).wait()
        #expect(outcome.code == 0, "\(outcome.error)")
        return try #require(try outcome.objects.first?["checks"] as? [[String: String]])
    }

    /// A folder with the program and links to its resources and workers, except this worker.
    private func program(without worker: String, in folder: Folder) throws -> String {
        let build = (Offstage.path as NSString).deletingLastPathComponent
        _ = try folder.make("program")
        for name in try FileManager.default.contentsOfDirectory(atPath: build)
        where name != worker && (name.hasSuffix(".resources") || name.wholeMatch(of: /offstage(-[a-z-]+)?/) != nil) {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path("program/\(name)"), withDestinationPath: "\(build)/\(name)")
        }
        // The workers are beside the file itself.
        try FileManager.default.removeItem(atPath: folder.path("program/offstage"))
        try FileManager.default.copyItem(atPath: Offstage.path, toPath: folder.path("program/offstage"))
        return folder.path("program/offstage")
    }

    @Test func aMissingWorkerIsAPartOfTheClass() throws {
        let url = try Machines.database()
        try withFolder { folder in
            let worker = try Machines.worker(url, in: folder)
            let here = try checks(Offstage.path, url, in: folder)
            #expect(here.contains { $0["detail"]?.hasSuffix(", from the pixels of 25 documents") ?? false })
            #expect(here.contains { $0["detail"]?.hasSuffix(" has the same class") ?? false }, "\(here)")
            let other = try program(without: "offstage-ink", in: folder)
            let there = try checks(other, url, in: folder)
            #expect(there.contains { $0["detail"]?.contains(#/^cannot be drawn here: pixels/ink/#) ?? false })
            #expect(
                there.contains {
                    $0["state"] == "remark"
                        && $0["detail"]?.contains(#/these parts differ: .*pixels\/ink \(cannot be drawn here\)/#)
                            ?? false
                }, "\(there)")
            try Machines.stop(worker)
        }
    }

    /// The second start reads the digests from the cache and starts no worker to find them, until something changes.
    @Test func theDrawingsOfWorkersAreCached() throws {
        let url = try Machines.database()
        try withFolder { folder in
            func machineClass() throws -> String {
                let worker = try Machines.worker(url, in: folder)
                let line = try #require(worker.text(1).firstMatch(of: #/working for class ([0-9a-f]{16})/#))
                try Machines.stop(worker)
                return String(line.1)
            }
            let first = try machineClass()
            let file = folder.path("cache-worker/class-probe.json")
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(try machineClass() == first)
            // Changing the digests shows that the file is read.
            let parts = text.replacing(#/"digest":"[0-9a-f]{16}"/#, with: #""digest":"0000000000000000""#)
            try Data(parts.utf8).write(to: URL(fileURLWithPath: file))
            #expect(try machineClass() != first)
            // Digests from another machine or other workers are ignored.
            let key = parts.replacing(#/"key":"[0-9a-f]{64}"/#, with: #""key":"0""#)
            #expect(key != parts)
            try Data(key.utf8).write(to: URL(fileURLWithPath: file))
            #expect(try machineClass() == first)
        }
    }
}
