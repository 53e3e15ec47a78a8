import COffstageSystem
import Foundation
import Offstage
import OffstageRequests

/// The messages of child processes on standard error. This process passes them on, except for some.
enum HelperMessages {
    /// Call it once per process, before any child process starts.
    ///
    /// - Parameter pieces: texts to leave out wherever they occur. Processes write in pieces, so the output of two
    ///   processes can be mixed; lines that are empty afterwards are dropped.
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
