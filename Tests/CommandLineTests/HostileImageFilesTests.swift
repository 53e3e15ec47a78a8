import Foundation
import Testing

/// Image and SVG files that try to crash their decoders or to access other files. Scripts/write-hostile-images writes
/// them.
@Suite struct HostileImageFilesTests {
    @Test func eachCostsOneResult() throws {
        try Hostile.with { hostile in
            let folder = hostile.folder
            let names = try Self.write(into: folder, hostile)
            #expect(names.count >= 150)
            let program = try PipeProgram("--no-cache", "--timeout", "3", "--base", ".", in: folder)
            let neighbours = ["good/jpeg.jpg", "good/heic.heic", "good.svg"]
            try folder.write("good.svg", "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>")
            func pictures(_ round: String) throws -> [Data?] {
                for name in neighbours {
                    program.send(#"{"id": "\#(round) \#(name)", "file": "\#(name)", "inline": true}"#)
                }
                return try neighbours.map { try program.result("\(round) \($0)").data }
            }
            let before = try pictures("before")
            #expect(before.allSatisfy { $0 != nil })
            let memory = try Self.highestMemory(of: program.child.id)

            // An animation frame that depends on the frames before it.
            for name in names {
                let frame = name.hasPrefix("apng-") ? #""frame": 2, "# : ""
                program.send(#"{"id": "\#(name)", "file": "hostile/\#(name)", \#(frame)"inline": true}"#)
            }
            for name in names {
                let result = try program.result(name)
                let status = try #require(result.status)
                #expect(["drawn", "incomplete", "failed"].contains(status), "\(name): \(status)")
                // A truncated file causes a warning, unless no visible part is missing.
                if status == "failed" { #expect(result.error?.isEmpty == false, "\(name)") }
                #expect(result.code != "engine-crashed", "\(name)")
                guard let data = result.data, name.hasPrefix("svg-") else { continue }
                try folder.write("picture.png", data)
                #expect(try folder.picture("picture.png").count(of: Hostile.canary) == 0, "\(name) read a file")
            }
            #expect(try pictures("after") == before)
            let growth = try Self.highestMemory(of: program.child.id) - memory
            #expect(growth < 64 << 20, "\(growth) bytes")
            let (outcome, results) = try program.end()
            #expect(outcome.code == 1)
            #expect(results.count == names.count + 2 * neighbours.count)
            #expect(hostile.doors.visitors() == 0)
            #expect(!hostile.untouched.isTouched)
        }
    }

    /// A picture with missing pixels is never reported as complete.
    @Test func whatWasCutIsReported() throws {
        try Hostile.with { hostile in
            let folder = hostile.folder
            let cut = try Self.write(into: folder, hostile).filter { $0.hasPrefix("cut-") }
            let outcome = try Child(
                [Offstage.path, "render"] + cut.map { "hostile/" + $0 } + ["--out", "out", "--json", "--no-cache"],
                folder: folder.path
            ).wait()
            // The last quarter of ImageMagick's PNG files is text about the picture.
            let whole = try outcome.objects.filter { $0["status"] as? String == "drawn" }
                .compactMap { ($0["source"] as? String).map { ($0 as NSString).lastPathComponent } }
            #expect(whole.count > 2 && whole.allSatisfy { $0.hasSuffix("-3.png") }, "\(whole)")
            #expect(try outcome.objects.count == cut.count)
        }
    }

    private static func write(into folder: Folder, _ hostile: Hostile) throws -> [String] {
        let scripts = Document.root.appendingPathComponent("Scripts").path
        #expect(try Child([scripts + "/write-images", "good"], folder: folder.path).wait().code == 0)
        let outcome = try Child(
            [
                scripts + "/write-hostile-images", "good", "hostile", "127.0.0.1:\(hostile.doors.tcp)",
                folder.path("in/canary.png"),
            ], folder: folder.path
        ).wait()
        #expect(outcome.code == 0, "\(outcome.error)")
        return folder.files("hostile")
    }

    private static func highestMemory(of process: pid_t) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        return try #require(status.firstMatch(of: #/VmHWM:\s+([0-9]+) kB/#).flatMap { Int($0.1) }) << 10
    }
}
