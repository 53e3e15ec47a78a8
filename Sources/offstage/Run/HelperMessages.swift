import COffstageSystem
import Foundation
import Offstage
import OffstageRequests

/// What the processes that we start say on standard error: it goes through us, and some is left out.
enum HelperMessages {
    /// Once a process, before any is started.
    ///
    /// - Parameter pieces: left out wherever they stand. Processes write in pieces, so that those of two can be mixed; a line
    ///   of which nothing is left is none.
    static func leaveOut(_ pieces: [String]) {
        var ends: [Int32] = [-1, -1]
        let own = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        guard own >= 0, offstage_pipe(&ends) == 0 else { return }
        Console.sayErrors(on: own)
        dup2(ends[1], STDERR_FILENO)
        close(ends[1])
        let source = ends[0]
        Thread.detachNewThread { pass(source, on: own, without: pieces) }
    }

    private static func pass(_ source: Int32, on target: Int32, without pieces: [String]) {
        var rest = Data()
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(source, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { return }
            rest.append(contentsOf: buffer[..<count])
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: rest[..<end], as: UTF8.self)
                rest = Data(rest[(end + 1)...])
                let said = pieces.reduce(line) { $0.replacing($1, with: "") }
                if !said.isEmpty { _ = writeAll(Data((said.printable + "\n").utf8), to: target) }
            }
        }
    }
}
