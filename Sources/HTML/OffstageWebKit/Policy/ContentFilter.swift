import CWebKitGTK
import Foundation
import Offstage
import OffstageGLib

/// WebKit's compiled content filter, shared by all views.
@MainActor
final class ContentFilter {
    let pointer: OpaquePointer

    /// - Parameter pointer: The filter. This object owns it from now on.
    private init(_ pointer: OpaquePointer) { self.pointer = pointer }

    isolated deinit { webkit_user_content_filter_unref(pointer) }

    /// A compilation that is running or finished.
    typealias Compilation = Task<Result<ContentFilter, EngineUnavailable>, Never>

    static func compilation(hosts: AllowedHosts) -> Compilation {
        Task {
            do throws(EngineUnavailable) { return .success(try await compile(hosts)) } catch { return .failure(error) }
        }
    }

    /// Includes the PID namespace: in another one, the same process number means another process.
    private nonisolated static let foldersName: String = {
        var space = stat()
        stat("/proc/self/ns/pid", &space)
        return "offstage-filter-\(space.st_ino)-"
    }()

    /// Removes the folders of processes that were killed while they compiled.
    nonisolated static func discardFoldersOfTheDead() {
        FolderOfTheDead.discard(in: NSTemporaryDirectory(), prefix: foldersName)
    }

    /// Compiles the filter. WebKit needs a folder for the result; it is deleted before this returns.
    private static func compile(_ hosts: AllowedHosts) async throws(EngineUnavailable) -> ContentFilter {
        let folder = NSTemporaryDirectory() + foldersName + "\(getpid())-\(UInt32.random(in: 0 ... .max))"
        guard mkdir(folder, 0o700) == 0 else {
            throw EngineUnavailable(
                problem: "cannot create \(folder): \(String(cString: strerror(errno)))",
                remedy: "set TMPDIR to a writable folder")
        }
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = webkit_user_content_filter_store_new(folder)
        defer { g_object_unref(store) }
        let text = ContentPolicy.filterRules(hosts: hosts)
        let rules = g_bytes_new(text, gsize(text.utf8.count))
        defer { g_bytes_unref(rules) }

        let reply = Reply<OpaquePointer>()
        let outcome = await reply.wait {
            webkit_user_content_filter_store_save(
                store, "offstage", rules, nil,
                { store, result, data in
                    onMainActor((store, result, data)) { store, result, data in
                        var error: UnsafeMutablePointer<GError>?
                        let filter = webkit_user_content_filter_store_save_finish(
                            store.map { cast($0) }, result, &error)
                        Reply<OpaquePointer>.take(data).give(
                            filter.map { .success($0) } ?? .failure(.failed(takeMessage(error))))
                    }
                }, reply.retained())
        }
        switch outcome {
        case .success(let filter): return ContentFilter(filter)
        case .failure(let interruption):
            throw EngineUnavailable(
                problem: "WebKit's content filter did not compile: \(interruption)",
                remedy: "set TMPDIR to a folder with free space")
        }
    }
}
