import Foundation
import PageSamples
import Testing

/// The seven programs that read documents, as the kernel shows them: each is in its jail after it has read a document
/// of its kind.
@Suite struct WorkerJailTests {
    private static let programs = [
        "offstage-image", "offstage-image-more", "offstage-pdf", "offstage-pdf-edit", "offstage-sound",
        "offstage-sound-more", "offstage-ink",
    ]

    /// Runs `offstage pipe` until each program has read a document.
    private func withWorkers(_ body: (pid_t, [(program: String, process: ProcessTable.Entry)]) throws -> Void) throws {
        try withFolder { folder in
            try folder.write("a.png", MachineTests.png)
            // Neither file can be decoded, but its first bytes determine which program must try.
            try folder.write("a.heic", Self.container("heic"))
            try folder.write("a.m4a", Self.container("M4A "))
            try folder.write("a.wav", Sound.wav)
            try folder.write("a.pdf", TestPDF("q Q").data)
            try folder.write("a.xopp", #"<xournal><page width="30" height="30"><layer/></page></xournal>"#)
            let pipe = try PipeProgram("--no-cache", environment: ["SECRET_TOKEN": "secret"], in: folder)
            let files = ["a.png", "a.heic", "a.m4a", "a.wav", "a.pdf", "a.xopp"]
            for file in files { pipe.send(#"{"id": "\#(file)", "file": "\#(file)", "inline": true}"#) }
            let xfdf =
                "<xfdf><annots><highlight page='0' color='#FF0000' coords='50,75,150,75,50,25,150,25'/></annots></xfdf>"
            pipe.send(
                #"{"id": "notes", "command": "annotate", "file": "a.pdf", "xfdf": "\#(xfdf)", "inline": true}"#)
            for file in files {
                let status = try pipe.result(file).status
                #expect(status == (["a.heic", "a.m4a"].contains(file) ? "failed" : "drawn"), "\(file)")
            }
            #expect(try pipe.result("notes").status == "done")
            let processes = ProcessTable.descendants(of: pipe.child.id)
            var workers: [(program: String, process: ProcessTable.Entry)] = []
            for process in processes {
                // bubblewrap, which remains as the worker's parent, was given the program's path.
                let words = ProcessView(id: process.parent).arguments
                guard let program = Self.programs.first(where: { name in words.contains { $0.hasSuffix("/" + name) } })
                else { continue }
                workers.append((program, process))
            }
            #expect(Set(workers.map(\.program)) == Set(Self.programs))
            try body(pipe.child.id, workers)
            #expect(try pipe.end().outcome.code == 1)
        }
    }

    private static func container(_ brand: String) -> Data {
        Data([0, 0, 0, 16]) + Data("ftyp\(brand)".utf8) + Data(count: 4) + Data([0, 0, 0, 200]) + Data("mdat".utf8)
            + Data(count: 192)
    }

    @Test func theKernelsViewOfEachWorker() throws {
        try withWorkers { host, workers in
            for (program, worker) in workers {
                let view = ProcessView(id: worker.id)
                let status = view.status
                #expect(status["Seccomp"] == "2", "\(program)")
                #expect(status["NoNewPrivs"] == "1", "\(program)")
                for set in ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"] {
                    #expect(status[set] == "0000000000000000", "\(program): \(set)")
                }
                #expect(status["Threads"] == "1", "\(program)")
                // bubblewrap sets only the working folder; no variable comes from the host.
                #expect(view.variables == ["PWD=/"], "\(program)")
                #expect(view.descriptors.keys.sorted() == [0, 1, 2, 3], "\(program)")
                for number in 0...2 { #expect(view.descriptors[number] == "/dev/null", "\(program): \(number)") }
                #expect(view.descriptors[3]?.hasPrefix("socket:") == true, "\(program)")
                for kind in ["net", "pid", "mnt", "user", "ipc", "uts"] {
                    let own = try #require(view.namespace(kind))
                    #expect(own != ProcessView(id: host).namespace(kind), "\(program): \(kind)")
                    // Nor does it share a namespace with another worker.
                    for (_, other) in workers where other != worker {
                        #expect(own != ProcessView(id: other.id).namespace(kind), "\(program): \(kind)")
                    }
                }
                let limits = view.limits
                #expect(limits["Max open files"] == ["6", "6"], "\(program)")
                for name in ["Max file size", "Max core file size", "Max locked memory"] {
                    #expect(limits[name] == ["0", "0"], "\(program): \(name)")
                }
            }
            // The descriptors of a worker that has a document. Another worker may be ready for the next document.
            for program in Self.programs {
                let limits = workers.filter { $0.program == program }.map { ProcessView(id: $0.process.id).limits }
                #expect(
                    limits.contains { limits in
                        ["Max cpu time", "Max address space"].allSatisfy { Int(limits[$0]?.first ?? "") != nil }
                    }, "\(program): \(limits)")
            }
        }
    }

    /// The files that a worker could see without its filter: the system's libraries, its own program and fonts, all
    /// read-only.
    @Test func theFilesOfEachWorker() throws {
        try withWorkers { _, workers in
            for (program, worker) in workers {
                for mount in ProcessView(id: worker.id).mounts where mount.path != "/" {
                    #expect(!mount.isWritable, "\(program): \(mount.path)")
                    let isKnown = ["/lib", "/usr/lib", "/usr/local/lib", "/usr/share/fonts/", "/worker"].contains {
                        mount.path.hasPrefix($0)
                    }
                    #expect(
                        isKnown || ["/etc/ld.so.cache", "/etc/alternatives"].contains(mount.path)
                            || program == "offstage-pdf" && mount.path.hasSuffix("/libpdfium.so"),
                        "\(program): \(mount.path)")
                }
            }
        }
    }
}
