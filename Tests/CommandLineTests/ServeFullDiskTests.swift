import Foundation
import Testing

/// A service whose cache has no space. Status 507 means a full disk and nothing else.
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
            // A picture that is not stored needs no space.
            #expect(try service.draw(row(), "store=false").status == 200)
            #expect(unlink(disk + "/filler") == 0)
            #expect(try put("c").status == 201)
        }
    }

    /// Acknowledged pictures stay, and pictures for which there is no space are refused: on a disk of 24 MiB, of
    /// which a tenth is kept free for others.
    @Test func acknowledgedPicturesStay() throws {
        try withFolder { folder in
            try folder.make("cache")
            let service = try Service(
                prefix: [
                    "unshare", "--user", "--map-root-user", "--mount", "sh", "-c",
                    #"mount -t tmpfs -o size=24m,mode=700 tmpfs cache && exec "$@""#, "sh",
                ], in: folder)
            func draw(_ method: String, _ path: String, _ shade: Int) throws -> Answer {
                try service.ask(
                    method, path + "?format=raw&width=300&scale=1", ["Content-Type": "text/html"],
                    row("rgb(0,0,\(shade))", height: 1000))
            }
            // Drawings are evicted, and a log line reports that.
            for shade in 0..<30 { #expect(try draw("POST", "/v1/images", shade).status == 200) }
            #expect(eventually { !service.child.hasEnded && service.child.text(1).contains(" evicted ") })
            var count = 0
            var last = try draw("PUT", "/v1/images/0", 100)
            while last.status == 201, count < 40 {
                count += 1
                last = try draw("PUT", "/v1/images/\(count)", 100 + count)
            }
            #expect(last.status == 507, "\(count)")
            #expect(last.code == "no-space")
            let detail = last.object["detail"] as? String ?? ""
            #expect(detail.hasSuffix("free some space on it, or DELETE pictures"), "\(detail)")
            #expect(count > 4, "\(count)")
            for shade in 50..<60 { #expect(try draw("POST", "/v1/images", shade).status == 200) }
            for number in 0..<count { #expect(try service.ask("GET", "/v1/images/\(number)").status == 200) }
            #expect(try service.ask("GET", "/v1/images/\(count)").status == 404)
            #expect(try service.ask("DELETE", "/v1/images/0").status == 204)
            // The space is free as soon as no process reads the removed file any more.
            var again = last
            let hasRoom = try eventually {
                again = try draw("PUT", "/v1/images/again", 99)
                return again.status != 507
            }
            #expect(hasRoom)
            #expect(again.status == 201, "\(again.object)")
        }
    }

    /// If the cache is full of pictures that clients have PUT, free disk space does not help.
    @Test func aFullCacheIs507() throws {
        try withFolder { folder in
            let service = try Service(["--cache-limit", "20000000"], in: folder)
            func put(_ name: String, _ shade: Int) throws -> Answer {
                try service.ask(
                    "PUT", "/v1/images/\(name)?format=raw&width=300&scale=1", ["Content-Type": "text/html"],
                    row("rgb(0,0,\(shade))", height: 1000))
            }
            var count = 0
            var last = try put("0", 0)
            while last.status == 201, count < 40 {
                count += 1
                last = try put("\(count)", count)
            }
            #expect(last.status == 507)
            #expect(last.code == "no-space")
            let detail = last.object["detail"] as? String ?? ""
            #expect(detail.hasSuffix("DELETE some, or start the service with a larger --cache-limit"), "\(detail)")
            for number in 0..<count { #expect(try service.ask("GET", "/v1/images/\(number)").status == 200) }
            _ = try service.stop()
            // Neither manual trimming nor the usual limit removes these pictures.
            func cache(_ action: String, _ options: String...) throws -> Outcome {
                try Child([Offstage.path, "cache", action, "--cache", "cache"] + options, folder: folder.path).wait()
            }
            #expect(try cache("trim").code == 0)
            #expect(try cache("stats", "--json").objects.first?["pinned"] as? Int == count)
            #expect(try cache("stats").text.contains("\n\(count) of them were PUT by clients and are never evicted, "))
            #expect(try cache("clear").text.contains(", \(count) of which clients had stored with PUT\n"))
        }
    }

    /// The service may not create files of more than 1,000,000 bytes, although the disk has space.
    @Test func aLimitOfFilesIsNot507() throws {
        try withFolder { folder in
            let service = try Service(in: folder)
            func put(_ name: String, height: Int) throws -> Answer {
                try service.ask(
                    "PUT", "/v1/images/\(name)?format=raw", ["Content-Type": "text/html"], row(height: height))
            }
            #expect(try put("a", height: 100).status == 201)
            // The limit does not apply to its web processes, which are already running.
            let limited = try Child(
                ["/usr/bin/prlimit", "--fsize=1000000", "--pid", "\(service.child.id)"], folder: folder.path
            ).wait()
            #expect(limited.code == 0, "\(limited.error)")
            let refused = try put("b", height: 1000)
            #expect(refused.status == 503, "\(refused.text)")
            #expect(refused.code == "nothing-is-kept")
            #expect(eventually { service.child.hasEnded || service.child.text(1).contains("stores nothing more") })
        }
    }

    /// Writes until the disk is full.
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
