import CWebKitGTK
import OffstageGLib

/// Records the loads that a view starts while this object exists.
///
/// Without a memory cache, WebKit loads an image again when another style refers to it, even if the document already
/// shows it, and even if it is a data URI. No promise or event of the document reports that the image has arrived.
/// WebKit reports the start of the load before it answers the script that changed the style, and the end after the
/// image has arrived.
@MainActor
final class StartedLoads {
    /// URLs by resource. WebKit keeps a resource until its load ends.
    private var underWay: [gpointer: String] = [:]
    /// URLs of resources that did not arrive.
    private(set) var failed: [String] = []
    private var reply: Reply<Void>?
    private let handlers = SignalHandlers()

    init(of view: UnsafeMutablePointer<WebKitWebView>) {
        let started: @convention(c) (gpointer, gpointer, gpointer, gpointer) -> Void = { _, resource, _, data in
            onMainActor((resource, data)) { resource, data in
                receiver(data, as: StartedLoads.self)?.begin(resource)
            }
        }
        handlers.connect("resource-load-started", of: view, unsafeBitCast(started, to: GCallback.self), to: self)
    }

    isolated deinit { handlers.disconnect() }

    /// URLs of resources that have not arrived yet.
    var pending: [String] { underWay.values.sorted() }

    /// Gives the reply once no load is in progress.
    func whenDone(_ reply: Reply<Void>) {
        self.reply = reply
        answer()
    }

    private func answer() { if underWay.isEmpty { reply?.give(.success(())) } }

    private func begin(_ resource: gpointer) {
        let uri = webkit_web_resource_get_uri(resource.assumingMemoryBound(to: WebKitWebResource.self))
        underWay[resource] = uri.map { String(cString: $0) } ?? ""
        let failed: @convention(c) (gpointer, gpointer, gpointer) -> Void = { resource, _, data in
            onMainActor((resource, data)) { resource, data in
                guard let loads = receiver(data, as: StartedLoads.self), let url = loads.underWay[resource] else {
                    return
                }
                loads.failed.append(url)
            }
        }
        // Also emitted after a failure.
        let finished: @convention(c) (gpointer, gpointer) -> Void = { resource, data in
            onMainActor((resource, data)) { resource, data in
                guard let loads = receiver(data, as: StartedLoads.self) else { return }
                loads.underWay[resource] = nil
                loads.answer()
            }
        }
        handlers.connect("failed", of: resource, unsafeBitCast(failed, to: GCallback.self), to: self)
        handlers.connect("finished", of: resource, unsafeBitCast(finished, to: GCallback.self), to: self)
    }
}
