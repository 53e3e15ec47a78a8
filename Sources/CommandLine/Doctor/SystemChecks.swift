import Foundation
import Offstage
import OffstageWebKit

/// Checks the rest of the machine: a sandbox tool, a folder for temporary files, limits.
enum SystemChecks {
    static func all() async -> [Check] { [await sandbox(), temporaryFolder(), side, descriptors()] }

    /// bubblewrap makes WebKit's sandbox for its web processes, from namespaces that some machines do not allow. Call
    /// it after a drawing, which reveals more problems.
    private static func sandbox() async -> Check {
        guard let absence = await Sandbox.absence else { return .ok("sandbox", "bubblewrap can make one") }
        return .remark("sandbox", absence.problem, remedy: absence.remedy)
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
