import Foundation
import Offstage
import OffstageHTML
import OffstageRequests
import Synchronization

/// The state that all resources of a service share.
@MainActor
final class ServeContext {
    nonisolated let configuration: ServeConfiguration
    nonisolated let service: PictureService
    nonisolated let store: PictureStore?
    nonisolated let statistics = ServeStatistics()
    nonisolated let recent = RecentPictures()
    nonisolated let kept: PutPictures
    let changeTurns = ChangeTurns()
    nonisolated let bodies = BodiesUnderWay()
    /// The memory for requests: 256 MiB, or eight times the largest body, so that a single client has space for two
    /// bodies, each of which counts twice.
    nonisolated let memory: MemoryBudget
    /// Caches the common parts of requests.
    nonisolated let reader: Mutex<ServiceRequestReader>
    var isStopping = false
    var readiness: Readiness
    var connections: Connections?

    /// The state for load balancers. Requests are answered in every state.
    enum Readiness { case starting, cold, ready, draining }

    nonisolated var renderer: Renderer { service.renderer }

    init(_ configuration: ServeConfiguration, service: PictureService, store: PictureStore?) {
        (self.configuration, self.service, self.store) = (configuration, service, store)
        memory = MemoryBudget(limit: max(256 << 20, 8 * configuration.bodyLimit)) { [bodies] in
            bodies.countFree($0)
        }
        readiness = !configuration.servesPictures ? .starting : configuration.warmViews > 0 ? .cold : .ready
        kept = PutPictures(limits: configuration.memoryLimits, names: service.remote?.shelf)
        service.renderer.trim(kept.memory)
        service.renderer.trim(kept.sounds)
        reader = Mutex(
            ServiceRequestReader(
                RequestReader(
                    configuration.defaults, folder: configuration.policy.folder,
                    allowsFiles: configuration.policy.folder != nil)
            ) { [policy = configuration.policy] (object, place) throws(UsageError) in
                try policy.check(object, at: place)
            })
    }
}
