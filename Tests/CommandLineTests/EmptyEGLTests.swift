import Foundation
import Testing

/// The EGL library beside the program: WebKit loads it, but nothing depends on it.
@Suite struct EmptyEGLTests {
    private static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    /// A copy of the program and its worker, with the library beside them.
    private func withProgram(_ body: (Folder) throws -> Void) throws {
        try withFolder { folder in
            let library = ".build/egl/libOffstageEGL.so"
            try folder.make("program")
            for command in [
                ["/usr/bin/make", "--no-print-directory", library],
                ["Scripts/place-egl", library, folder.path("program")],
                ["/bin/cp", Offstage.path, Offstage.worker("offstage-html"), folder.path("program")],
            ] {
                let outcome = try Child(command, folder: Self.repository).wait()
                #expect(outcome.code == 0, "\(command): \(outcome.error)")
            }
            try folder.write("a.html", "<p>Some text")
            try body(folder)
        }
    }

    /// The picture, and the libraries that any process loaded for it.
    private func draw(_ folder: Folder, isSandboxed: Bool = false) throws -> (data: Data, loaded: String) {
        let tool = folder.path("program/offstage")
        let outcome = try Child(
            // In the sandbox, a web process cannot list the files that it loads.
            [tool, "render", "a.html", "-o", "a.png", "--no-cache", isSandboxed ? "--sandbox" : "--no-sandbox"],
            environment: ["LD_DEBUG": "files", "LD_DEBUG_OUTPUT": folder.path("loaded")], folder: folder.path
        ).wait()
        #expect(outcome.code == 0, "\(outcome.error)")
        let notes = folder.files().filter { $0.hasPrefix("loaded") }
        let loaded = try notes.map { String(decoding: try folder.data($0), as: UTF8.self) }.joined()
        for note in notes { try FileManager.default.removeItem(atPath: folder.path(note)) }
        return (try folder.data("a.png"), loaded)
    }

    @Test func noProcessLoadsMesa() throws {
        try withProgram { folder in
            let (picture, loaded) = try draw(folder)
            #expect(loaded.contains("libwebkit2gtk") && loaded.contains("libOffstageEGL.so"))
            #expect(!loaded.contains("libLLVM") && !loaded.contains("libEGL_mesa"))
            // Everything works without the library. Here, the folder was moved, and the configuration names the
            // old path.
            try FileManager.default.moveItem(atPath: folder.path("program"), toPath: folder.path("moved"))
            try FileManager.default.createSymbolicLink(
                atPath: folder.path("program"), withDestinationPath: folder.path("moved"))
            let (other, otherLoaded) = try draw(folder)
            #expect(otherLoaded.contains("libEGL_mesa") && !otherLoaded.contains("libOffstageEGL.so"))
            #expect(other == picture)
        }
    }

    /// Imitates a WebKit version that cannot use the library. A web process of 2.50 ends when it starts, and the next one
    /// gets the machine's EGL; that of 2.54 continues without any.
    @Test func aWebProcessThatCannotDoWithItDrawsTheSame() throws {
        try withProgram { folder in
            let (picture, _) = try draw(folder)
            try folder.write("program/libOffstageEGL.so", "no library")
            #expect(try draw(folder).data == picture)
            #expect(try draw(folder, isSandboxed: true).data == picture)
        }
    }
}
