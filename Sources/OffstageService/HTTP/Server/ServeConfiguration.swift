import Offstage
import OffstageRequests

/// The addresses of the HTTP service, its limits and what its clients may do.
package struct ServeConfiguration: Sendable {
    /// Paths of Unix sockets.
    package var sockets: [String] = []
    package var addresses: [ListenAddress] = []
    /// The path of a file of tokens; nil where nobody needs one.
    package var tokenFile: String?
    /// Names in `Host`, beside this machine's, and in `Origin`: those of a proxy in front of it.
    package var proxyHosts: Set<String> = []
    package var certificate: TLSFiles?
    package var policy = RequestPolicy()
    /// The default of a request.
    package var defaults = ParsedOptions()
    /// Bytes of a request's body.
    package var bodyLimit = 16 << 20
    /// Requests of one batch that are under way at most.
    package var batchLimit = 64
    package var connectionLimit = 4096
    /// Seconds without a byte, then a connection is given up.
    package var idleTimeout = 60.0
    /// Seconds that requests get to be answered once the service is to stop.
    package var stopTimeout = 10.0
    /// Seconds before that in which it still takes requests and says that it is not ready, for load balancers to notice.
    package var drainTime = 0.0
    /// The number of views that draw something before the first request; 0 for none.
    package var warmViews = 0
    /// Bytes of pictures in memory: half of them for what was drawn, half for what clients have put.
    package var memoryLimit = ImageCacheLimits.defaultBytes
    package var writesLog = true
    package var version = ""

    package init() {}

    /// The cache's folder; nil for none.
    package var cacheFolder: String?

    /// Paths that answers leave out.
    var paths: MachinePaths { MachinePaths(folder: policy.folder, cache: cacheFolder) }

    /// Of each of the two.
    package var memoryLimits: ImageCacheLimits { ImageCacheLimits(bytes: memoryLimit / 2) }
}

/// Paths of PEM files.
package struct TLSFiles: Sendable {
    package var certificate: String
    package var key: String

    package init(certificate: String, key: String) { (self.certificate, self.key) = (certificate, key) }
}

/// `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080`: an address of a network.
package struct ListenAddress: Sendable, Hashable {
    package let host: String
    package let port: UInt16

    package init(_ text: String) throws(UsageError) {
        let parts = text.wholeMatch(of: /(?:\[([0-9A-Fa-f:.]+)\]|([^:\[\]]+)):([0-9]+)/)?.output
        guard let parts, let port = UInt16(parts.3) else {
            throw UsageError(
                "--listen takes an address and a port such as 127.0.0.1:8080 or [::1]:8080, not \(text.quoted)")
        }
        host = String(parts.1 ?? parts.2!)
        self.port = port
    }
}
