import COffstageSystem
import Foundation

/// The addresses at which this machine answers. They may include public ones: a server at such an address may answer
/// local programs with content that a firewall hides from others.
enum OwnAddresses {
    /// Asks the kernel each time, because routes change. Besides the addresses of interfaces, a machine answers at those
    /// of local routes (`ip route add local …`), which load balancers have.
    ///
    /// - Parameter address: an address as `getaddrinfo` returns it.
    /// - Returns: true also if the kernel gives no answer.
    static func contain(_ address: UnsafePointer<sockaddr>) -> Bool { offstage_is_local_address(address) != 0 }
}
