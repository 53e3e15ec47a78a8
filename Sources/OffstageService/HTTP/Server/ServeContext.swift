import Foundation
import Offstage
import OffstageRequests
import OffstageWebKit

/// The state that all resources of a service share.
@MainActor
final class ServeContext {
    let configuration: ServeConfiguration
    let service: PictureService
    let store: PictureStore?
    let statistics = ServeStatistics()
    let recent = RecentPictures()
    let kept: PutPictures
    let changeTurns = ChangeTurns()
    let bodies = BodiesUnderWay()
    let requestBodies: RequestBodies
    var reader: ServiceRequestReader
    var leases: [String: SuspensionLease] = [:]
    var isStopping = false
    var readiness: Readiness
    weak var connections: Connections?

    /// The state for load balancers. Requests are answered in each.
    enum Readiness { case starting, cold, ready, draining }

    var renderer: Renderer { service.renderer }

    init(_ configuration: ServeConfiguration, service: PictureService, store: PictureStore?) {
        (self.configuration, self.service, self.store) = (configuration, service, store)
        requestBodies = RequestBodies(bodyLimit: configuration.bodyLimit)
        readiness = !configuration.servesPictures ? .starting : configuration.warmViews > 0 ? .cold : .ready
        kept = PutPictures(limits: configuration.memoryLimits, names: service.remote?.shelf)
        service.renderer.trim(kept.memory)
        service.renderer.trim(kept.sounds)
        reader = ServiceRequestReader(
            RequestReader(
                configuration.defaults, folder: configuration.policy.folder,
                allowsFiles: configuration.policy.folder != nil)
        ) { [policy = configuration.policy] (object, place) throws(UsageError) in try policy.check(object, at: place) }
    }
}
