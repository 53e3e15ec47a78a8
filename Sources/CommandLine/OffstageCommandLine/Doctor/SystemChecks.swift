import Foundation
import Offstage
import OffstageHTML
import OffstageRequests
import OffstageWorkers

/// Checks the rest of the machine: a sandbox tool, a folder for temporary files, limits.
enum SystemChecks {
    /// - Parameter sandbox: the check of the sandbox.
    static func all(sandbox: Check) async -> [Check] {
        [sandbox, temporaryFolder(), side, descriptors(), machineClass] + (await workers())
    }

    /// The jail of each source's workers. Documents of other sources are drawn without them.
    private static func workers() async -> [Check] {
        guard let engines = try? EngineOptions() else { return [] }
        var checks: [Check] = []
        for source in SourceRegistry.all {
            guard let protections = source.protections else { continue }
            let name = "\(source.name)-worker"
            do throws(EngineUnavailable) {
                checks.append(check(name, try await protections(engines)))
            } catch {
                checks.append(.remark(name, error.problem, remedy: error.remedy))
            }
        }
        return checks
    }

    private static func check(_ name: String, _ protections: WorkerProtections) -> Check {
        let jail = "in a jail of \(protections.names.formatted("and"))"
        let missing = WorkerProtections([.namespaces, .landlock]).subtracting(protections)
        if missing.isEmpty { return .ok(name, jail) }
        return .remark(
            name, "\(jail), without \(missing.names.formatted("and"))",
            remedy: missing.contains(.namespaces)
                ? "install bubblewrap and allow user namespaces; --sandbox refuses to draw without them"
                : "use a kernel with Landlock, 5.13 or newer")
    }

    /// WebKit compiles the content filter in that folder.
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
        if written == 8 { return .ok("temporary-files", "\(folder) is writable") }
        return .failure(
            "temporary-files", "cannot write to \(folder): \(String(cString: strerror(code)))",
            remedy: "set TMPDIR to a writable folder")
    }

    private static var machineClass: Check {
        .ok(
            "machine-class",
            "\(HTMLEngine.machineClass); machines of the same class draw identical bytes, and can share caches")
    }

    private static var side: Check { .ok("largest-side", "\(HTMLEngine.sizeLimit) device px") }

    private static func descriptors() -> Check {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let detail = "\(limit.rlim_cur) file descriptors at once"
        return limit.rlim_cur >= 256
            ? .ok("descriptors", detail)
            : .remark("descriptors", detail + ", few for --jobs", remedy: "raise `ulimit -n` to 256 or more")
    }
}
