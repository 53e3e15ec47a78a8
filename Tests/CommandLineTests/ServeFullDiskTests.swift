import Foundation
import Testing

/// A service whose cache has no room: 507 is the status of a full disk and of nothing else.
@Suite struct ServeFullDiskTests {
    @Test func aFullDiskIs507UntilThereIsRoom() throws {
        try withFolder { folder in
            try folder.make("cache")
            // A disk of 4 MiB that only the service sees.
            let service = try Service(
                prefix: [
                    "unshare", "--user", "--map-root-user", "--mount", "sh", "-c",
                    #"mount -t tmpfs -o size=4m,mode=700 tmpfs cache && exec "$@""#, "sh",
                ], in: folder)
            let disk = "/proc/\(service.child.id)/root\(folder.path)/cache"
            func put(_ name: String) throws -> Answer {
                try service.ask("PUT", "/v1/images/\(name)", ["Content-Type": "text/html"], noise(name))
            }
            #expect(try put("a").status == 201)
            try fill(disk + "/filler")
            let refused = try put("b")
            #expect(refused.status == 507)
            #expect(refused.code == "no-space")
            // A picture that is not to be stored needs no room.
            #expect(try service.draw(row(), "store=false").status == 200)
            #expect(unlink(disk + "/filler") == 0)
            #expect(try put("c").status == 201)
        }
    }

    /// The service may make no file of more than 1,000,000 bytes, on a disk with room.
    @Test func aLimitOfFilesIsNot507() throws {
        try withFolder { folder in
            let service = try Service(in: folder)
            func put(_ name: String, height: Int) throws -> Answer {
                try service.ask(
                    "PUT", "/v1/images/\(name)?format=raw", ["Content-Type": "text/html"], row(height: height))
            }
            #expect(try put("a", height: 100).status == 201)
            // Not for its web processes, which are there by now.
            let limited = try Child(
                ["/usr/bin/prlimit", "--fsize=1000000", "--pid", "\(service.child.id)"], folder: folder.path
            ).wait()
            #expect(limited.code == 0, "\(limited.error)")
            let refused = try put("b", height: 1000)
            #expect(refused.status == 503, "\(refused.text)")
            #expect(refused.code == "nothing-is-kept")
            #expect(eventually { service.child.hasEnded || service.child.text(1).contains("keeps nothing more") })
        }
    }

    /// Writes until there is no room.
    private func fill(_ path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        #expect(file >= 0, "\(String(cString: strerror(errno)))")
        defer { close(file) }
        let block = [UInt8](repeating: 1, count: 4096)
        while block.withUnsafeBytes({ write(file, $0.baseAddress, $0.count) }) > 0 {}
        #expect(errno == ENOSPC)
    }

    /// A document whose picture does not compress: 40 KB or more.
    private func noise(_ name: String) -> String {
        let seed = Int(name.utf8.first ?? 0) * 10_007
        let cells = (0..<10_000).map { index in
            "<i style='background:#\(String(format: "%06x", ((index &+ seed) &* 2_654_435_761) & 0xFFFFFF))'></i>"
        }
        return "<!doctype html><title>\(name)</title><style>i{float:left;width:2px;height:2px}</style>" + cells.joined()
    }
}
