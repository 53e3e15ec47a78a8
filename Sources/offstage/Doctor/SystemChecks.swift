import COffstageSystem
import Foundation
import Offstage
import OffstageWebKit

/// What the machine gives besides the engine: a sandbox tool, a place for temporary files, limits.
enum SystemChecks {
    static func all() -> [Check] { [sandbox(), temporaryFolder(), side, descriptors()] }

    /// WebKit's sandbox for its web processes is made by bubblewrap, of namespaces that some machines do not allow.
    private static func sandbox() -> Check {
        let arguments = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "true"]
        var argv = arguments.map { strdup($0) } + [nil]
        defer { for argument in argv { free(argument) } }
        let input = open("/dev/null", O_RDONLY | O_CLOEXEC)
        let output = offstage_memory_file("offstage-bwrap")
        defer {
            close(input)
            close(output)
        }
        let process = offstage_spawn(&argv, [input, output, output], 3)
        guard process > 0 else {
            return .remark(
                "sandbox", "bubblewrap cannot be started: \(String(cString: strerror(errno)))",
                remedy: "install the Debian package bubblewrap")
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        if status == 0 { return .ok("sandbox", "bubblewrap can make one") }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = max(0, pread(output, &buffer, buffer.count, 0))
        let said = String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n").first ?? "it said nothing"
        return .remark(
            "sandbox", "bubblewrap cannot make one: \(said)", remedy: "allow user namespaces to this user or container")
    }

    /// WebKit compiles the content filter there.
    private static func temporaryFolder() -> Check {
        let folder = NSTemporaryDirectory()
        var path = Array((folder + "offstage-doctor-XXXXXX").utf8CString)
        let file = mkstemp(&path)
        let written = file < 0 ? -1 : write(file, "offstage", 8)
        let code = errno
        if file >= 0 {
            unlink(path)
            close(file)
        }
        if written == 8 { return .ok("temporary-files", "\(folder) can be written") }
        return .failure(
            "temporary-files", "\(folder) cannot be written: \(String(cString: strerror(code)))",
            remedy: "set TMPDIR to a folder that can be written")
    }

    private static var side: Check { .ok("largest-side", "\(WebEngine.sizeLimit) device px") }

    private static func descriptors() -> Check {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let detail = "\(limit.rlim_cur) file descriptors at once"
        return limit.rlim_cur >= 256
            ? .ok("descriptors", detail)
            : .remark("descriptors", detail + ", few for --jobs", remedy: "raise `ulimit -n` to 256 or more")
    }
}
