import COffstageSystem
import COffstageWebKit
import Foundation
import Offstage

/// The empty network namespace in which WebKit's processes start. It has no address and no route, only its own loopback.
///
/// This process stays in its own network. A process has one namespace for all its engines, because WebKit has one
/// network process for all its views. Once the first engine has started, the host's own web views also have no network.
@MainActor
public enum NetworkNamespace {
    /// False: WebKit's processes stay in the machine's network, and only the other layers restrict a snippet. This is
    /// for a host whose own web views load from the network. Set it before the first drawing. Default true.
    public static var isWanted = true

    /// The system's reason why no namespace exists. Nil if one exists, or if none has been tried yet.
    package private(set) static var problem: String?
    private static var space: offstage_namespace?
    private static var isUsed = false
    /// The port of the proxy to the allowed hosts, on the loopback of WebKit's processes. 0 if no proxy runs.
    private(set) static var proxyPort: UInt16 = 0

    /// The task that creates a namespace. It fails with the system's `errno`.
    typealias Making = Task<Result<offstage_namespace, SystemError>, Never>

    struct SystemError: Error { var code: Int32 }

    /// Starts to create the namespace, concurrently with other work. It takes about 2 ms.
    ///
    /// - Parameter hosts: The allowed hosts. If there are any, the namespace gets a listening socket for the proxy.
    static func making(for hosts: AllowedHosts) -> Making? {
        if !isWanted || isUsed { return nil }
        let listens = !hosts.hosts.isEmpty
        return Task.detached {
            var space = offstage_namespace()
            return offstage_namespace_make(listens, &space) == 0 ? .success(space) : .failure(SystemError(code: errno))
        }
    }

    /// - Parameter display: the display to whose socket file WebKit's processes connect, because an abstract socket
    ///   belongs to one namespace.
    static func use(
        _ made: Result<offstage_namespace, SystemError>?, with display: VirtualDisplay, for hosts: AllowedHosts
    ) throws(EngineUnavailable) {
        defer { isUsed = true }
        switch made {
        case nil: break
        case .failure(let error): problem = String(cString: strerror(error.code))
        case .success(let new):
            if access(display.socket, F_OK) == 0 { space = new } else { problem = "\(display.socket) does not exist" }
        }
        var place = offstage_helper_place(
            space: space ?? offstage_namespace(network: -1, user: -1, listener: -1), authority: display.authority)
        offstage_helpers_start_in(&place)
        if !hosts.hosts.isEmpty { try open(hosts, made) }
    }

    private static func open(
        _ hosts: AllowedHosts, _ made: Result<offstage_namespace, SystemError>?
    ) throws(EngineUnavailable) {
        HostProxy.shared.allow(hosts)
        if proxyPort != 0 { return }
        if isUsed, space != nil {
            throw EngineUnavailable(
                problem: "WebKit's processes have already started without network access",
                remedy: "create the engine with allowed hosts before any other engine")
        }
        // If no namespace exists, the proxy listens on this machine's loopback.
        let listener = space?.listener ?? offstage_listen()
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &length) }
        }
        guard code == 0 else {
            throw EngineUnavailable(
                problem: "cannot open a port for the proxy to the allowed hosts (\(String(cString: strerror(errno))))",
                remedy: "run without --allow-host")
        }
        proxyPort = UInt16(bigEndian: address.sin_port)
        HostProxy.shared.start(on: listener)
    }

    /// True if all WebKit processes are in a different network namespace from this process. Nil if none is running.
    package static var holdsAll: Bool? {
        let helpers = ChildProcesses.descendants().filter { ChildProcesses.name(of: $0).hasPrefix("WebKit") }
        guard !helpers.isEmpty, let own = link("self") else { return nil }
        return helpers.allSatisfy { link("\($0)").map { $0 != own } ?? false }
    }

    private static func link(_ process: String) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/ns/net")
    }
}
