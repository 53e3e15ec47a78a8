import Foundation
import Offstage
import OffstageRequests
import OffstageWorkers

/// The program `offstage-browse`, which has the windows of `offstage browse`. It is installed beside the worker
/// programs, and found as they are.
@MainActor
enum BrowseProgram {
    /// Replaces this program with it. It gets the words after the command, the environment and all open descriptors,
    /// because a file can be named /dev/fd/3. It reads the user's settings itself: the words are only those of the
    /// command line.
    ///
    /// - Throws: if it is not installed, or does not start.
    static func start() throws(EngineUnavailable) -> Never {
        let path = try WorkerProgram("offstage-browse", purpose: "shows the window").find()
        // The words' bytes, because a file's name need not be UTF-8.
        var words: [UnsafeMutablePointer<CChar>?] = [strdup(path)]
        words += (2..<max(2, Int(CommandLine.argc))).map { CommandLine.unsafeArgv[$0] }
        execv(path, words + [nil])
        throw EngineUnavailable(
            problem: "\(path) does not start: \(String(cString: strerror(errno)))",
            remedy: "install it again with: make install")
    }
}
