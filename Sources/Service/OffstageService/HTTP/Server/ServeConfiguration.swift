import Offstage
import OffstageRequests

/// The addresses of the HTTP service, its limits and the rights of its clients.
package struct ServeConfiguration: Sendable {
    /// Paths of Unix sockets.
    package var sockets: [String] = []
    package var addresses: [ListenAddress] = []
    /// The path of the file with tokens; nil if clients need none.
    package var tokenFile: String?
    /// The names of a proxy in front of the service, for `Host` and `Origin`.
    package var proxyHosts: Set<String> = []
    package var tls: TLSFiles?
    package var policy = RequestPolicy()
    /// The default options of requests.
    package var defaults = ParsedOptions()
    /// The maximum number of bytes of a request's body.
    package var bodyLimit = 16 << 20
    /// The maximum number of requests of one batch in progress.
    package var batchLimit = 64
    package var connectionLimit = 4096
    /// The number of seconds without progress after which a connection is closed.
    package var idleTimeout = 60.0
    /// The seconds that requests in progress get when the service stops.
    package var stopTimeout = 10.0
    /// The time before the service stops, in seconds, in which it still accepts requests but reports to load balancers
    /// that it is not ready.
    package var drainTime = 0.0
    /// The number of views that draw something before the first request.
    package var warmViews = 0
    /// The bytes of pictures in memory: half for drawn pictures, half for pictures that clients put.
    package var memoryLimit = MemoryCacheLimits.defaultBytes
    /// The format of the access log; nil for none.
    package var accessLog: AccessLog.Format? = .text
    /// False for a machine that has no clients of its own: it offers only its state and its metrics.
    package var servesPictures = true
    package var version = ""

    package init() {}

    /// The cache's folder; nil without a cache.
    package var cacheFolder: String?

    /// The folders that answers must not show.
    var paths: MachinePaths { MachinePaths(folder: policy.folder, cache: cacheFolder) }

    /// The limits of each of the two memory caches.
    package var memoryLimits: MemoryCacheLimits { MemoryCacheLimits(bytes: memoryLimit / 2) }
}

/// The paths of PEM files.
package typealias TLSFiles = (certificate: String, key: String)

/// A network address: `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080`.
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
