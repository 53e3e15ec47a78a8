import Foundation
import Offstage
import OffstageRequests
import OffstageWebKit

/// The parts that all resources of a service share.
@MainActor
final class ServeContext {
    let configuration: ServeConfiguration
    let service: PictureService
    let store: ImageStore?
    let statistics = ServeStatistics()
    let recent = RecentPictures()
    let kept: KeptResources
    let bodies = BodiesUnderWay()
    var reader: ServiceRequestReader
    var leases: [String: SuspensionLease] = [:]
    var isStopping = false
    var readiness: Readiness
    /// Prefetches that are under way.
    var prefetches = 0

    /// Whether clients are to come here, beside whether they are answered.
    enum Readiness { case cold, ready, draining }

    var renderer: Renderer { service.renderer }

    init(_ configuration: ServeConfiguration, service: PictureService, store: ImageStore?) {
        self.configuration = configuration
        self.service = service
        self.store = store
        readiness = configuration.warmViews > 0 ? .cold : .ready
        kept = KeptResources(limits: configuration.memoryLimits)
        service.renderer.trim(kept.memory)
        reader = ServiceRequestReader(
            RequestReader(
                configuration.defaults, folder: configuration.policy.folder,
                allowsFiles: configuration.policy.folder != nil)
        ) { [policy = configuration.policy] (object, place) throws(UsageError) in try policy.check(object, at: place) }
    }
}
