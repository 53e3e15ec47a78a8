import Foundation
import Testing

/// The private X server's socket in `/tmp` is removed when the server ends, however that happens.
@Suite(.serialized) struct DisplaySocketTests {
    enum End: CaseIterable, Sendable { case normal, interrupted, killed, serverKilled, serverStoppedAndInterrupted }

    @Test(arguments: End.allCases) func afterTheEnd(end: End) throws {
        try withFolder { folder in
            let pipe = try PipeProgram("--no-cache", in: folder)
            pipe.send(request("a"))
            _ = try pipe.result("a")
            let server = try #require(Self.server(of: pipe.child))
            let socket = try #require(ProcessTable.socket(of: server))
            #expect(socket.isThere)
            switch end {
            case .normal: #expect(try pipe.end().0.code == 0)
            case .interrupted:
                kill(pipe.child.id, SIGINT)
                #expect(try pipe.child.wait().code == 130)
            case .killed:
                kill(pipe.child.id, SIGKILL)
                #expect(try pipe.child.wait().code == 137)
                // The server must notice that its client has ended.
                #expect(eventually { !socket.isThere })
            case .serverKilled:
                kill(server, SIGKILL)
                #expect(eventually { !socket.isThere })
                kill(pipe.child.id, SIGTERM)
                _ = try pipe.child.wait()
            case .serverStoppedAndInterrupted:
                // The server does not end on its own.
                kill(server, SIGSTOP)
                kill(pipe.child.id, SIGINT)
                #expect(try pipe.child.wait().code == 130)
            }
            #expect(!socket.isThere)
        }
    }

    /// The server runs, but has not reported its number yet.
    @Test func interruptedAtTheStart() throws {
        try withFolder { folder in
            try folder.write("a.html", row())
            let child = try Child([Offstage.path, "render", "a.html", "-o", "a.png"], folder: folder.path)
            #expect(eventually { Self.server(of: child) != nil || child.hasEnded })
            // The signal and the server's report reach the program at the same time.
            kill(child.id, SIGSTOP)
            let server = try #require(Self.server(of: child))
            var socket: ProcessTable.SocketFile?
            #expect(
                eventually {
                    socket = ProcessTable.socket(of: server)
                    return socket != nil
                })
            kill(child.id, SIGINT)
            kill(child.id, SIGCONT)
            _ = try child.wait()
            // If GDK ended the program while connecting, the server ends by itself.
            let file = try #require(socket)
            #expect(eventually { !file.isThere })
        }
    }

    /// Another server has taken the number in the meantime, so its socket stays.
    @Test func anothersSocketStays() throws {
        try withFolder { folder in
            let pipe = try PipeProgram("--no-cache", in: folder)
            pipe.send(request("a"))
            _ = try pipe.result("a")
            let server = try #require(Self.server(of: pipe.child))
            let path = try #require(ProcessTable.socket(of: server)).path
            // Imitates a server that starts while this one is about to end.
            try FileManager.default.removeItem(atPath: path)
            let other = try Child(
                ["python3", "-c", "import socket,sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])", path],
                folder: folder.path)
            #expect(try other.wait().code == 0)
            let file = try #require(ProcessTable.SocketFile(path: path))
            kill(server, SIGKILL)
            kill(pipe.child.id, SIGTERM)
            _ = try pipe.child.wait()
            #expect(file.isThere)
            try FileManager.default.removeItem(atPath: path)
        }
    }

    /// Programs in two network namespaces share `/tmp`, but not abstract sockets: a number that is free in one may be
    /// in use in the other.
    @Test func programsInTwoNetworks() throws {
        try withFolder { folder in
            let pipe = try PipeProgram("--no-cache", in: folder)
            pipe.send(request("a"))
            _ = try pipe.result("a")
            let server = try #require(Self.server(of: pipe.child))
            let socket = try #require(ProcessTable.socket(of: server))
            try folder.write("b.html", row())
            let other = try Child(
                [
                    "unshare", "--user", "--map-root-user", "--net", Offstage.path, "render", "b.html", "--no-cache",
                    "-q",
                ],
                folder: folder.path
            ).wait()
            #expect(other.code == 0, "\(other.error)")
            #expect(socket.isThere)
            #expect(try pipe.end().0.code == 0)
        }
    }

    private static func server(of child: Child) -> pid_t? {
        ProcessTable.descendants(of: child.id).first { $0.name == "Xvfb" }?.id
    }
}
