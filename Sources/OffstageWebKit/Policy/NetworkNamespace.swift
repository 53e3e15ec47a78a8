import COffstageSystem
import COffstageWebKit
import Foundation
import Offstage

/// The empty network namespace in which WebKit's processes start: no address, no route, no loopback but its own.
///
/// This process keeps its own network. A process has one such namespace, for all its engines, because WebKit has one network
/// process for all its views; from the first engine on, a view of the host's own has no network either.
@MainActor
public enum NetworkNamespace {
    /// False: WebKit's processes keep the machine's network, and the other layers alone hold a snippet back. For a host whose
    /// own web views load from the network; to be set before the first drawing. Default true.
    public static var isWanted = true

    /// Why there is none, in the system's words; nil where there is one, or none was tried yet.
    package private(set) static var problem: String?
    private static var space: offstage_namespace?

    /// The system's answer, a number, where it allows none.
    typealias Making = Task<Result<offstage_namespace, SystemError>, Never>

    struct SystemError: Error { var code: Int32 }

    /// Begins to make it, beside other work: some 2 ms.
    static func making() -> Making? {
        if !isWanted || space != nil { return nil }
        return Task.detached {
            var space = offstage_namespace()
            return offstage_namespace_make(false, &space) == 0 ? .success(space) : .failure(SystemError(code: errno))
        }
    }

    /// - Parameter display: WebKit's processes reach it by its socket file, for an abstract socket belongs to a namespace.
    static func use(_ made: Result<offstage_namespace, SystemError>?, with display: VirtualDisplay) {
        switch made {
        case nil: break
        case .failure(let error): problem = String(cString: strerror(error.code))
        case .success(let new):
            if access(display.socket, F_OK) == 0 { space = new } else { problem = "\(display.socket) is not there" }
        }
        var place = offstage_helper_place(
            space: space ?? offstage_namespace(network: -1, user: -1, listener: -1), authority: display.authority)
        offstage_helpers_start_in(&place)
    }

    /// Whether each of WebKit's processes is in another network namespace than this one; nil where none runs.
    package static var holdsAll: Bool? {
        let helpers = ChildProcesses.all().filter { name(of: $0).hasPrefix("WebKit") }
        guard !helpers.isEmpty, let own = link("self") else { return nil }
        return helpers.allSatisfy { link("\($0)").map { $0 != own } ?? false }
    }

    private static func link(_ process: String) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/ns/net")
    }

    private static func name(of process: pid_t) -> String {
        (try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)) ?? ""
    }
}
