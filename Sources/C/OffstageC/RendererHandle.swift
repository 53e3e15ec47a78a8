import COffstage
import Foundation
import Offstage
import OffstageGLib
import OffstageHTML
import OffstageRequests
import OffstageService
import Synchronization

/// A renderer for a C program. Any thread may use it.
final class RendererHandle: Sendable {
    let service: PictureService
    private let reader: Mutex<ServiceRequestReader>
    /// The program may name any path.
    private let output = OutputFiles(below: "/")
    private let state = Mutex(State())

    private struct State {
        var lastNumber: UInt64 = 0
        /// The requests that have not ended.
        var requests: [UInt64: Entry] = [:]
        var lastLease: UInt64 = 0
        var leases: [UInt64: SuspensionLease] = [:]
    }

    private struct Entry {
        let control: RequestControl
        let group: String?
        /// Removed when the answer is given.
        var task: Task<Void, Never>?
    }

    /// The form of a request's picture.
    enum Kind {
        case pixels
        case bytes
        /// The path as the program names it.
        case file(String)
    }

    @MainActor init(_ settings: RendererSettings) {
        MainLoop.attach()
        service = PictureService(renderer: settings.renderer())
        reader = Mutex(settings.reader)
    }

    var renderer: Renderer { service.renderer }

    // MARK: Requests

    /// - Returns: the number of the request.
    func begin(_ list: TextOptions.List?, as kind: Kind, _ answer: Answer) throws(UsageError) -> UInt64 {
        let (request, place) = try read(list, kind)
        let control = RequestControl()
        if let place { output.claim(place) }
        let number = state.withLock { state in
            state.lastNumber += 1
            state.requests[state.lastNumber] = Entry(control: control, group: request.options.group)
            return state.lastNumber
        }
        let task = Task { [self] in
            let outcome = await run(request, control, kind, place, number)
            _ = state.withLock { $0.requests.removeValue(forKey: number) }
            answer.give(outcome)
        }
        state.withLock { $0.requests[number]?.task = task }
        return number
    }

    /// Begins a request whose result is not a picture.
    ///
    /// - Returns: its number.
    func start(
        _ work: @escaping @Sendable () async -> Answer.Outcome, answer: @escaping @Sendable (Answer.Outcome) -> Void
    ) -> UInt64 {
        let number = state.withLock { state in
            state.lastNumber += 1
            state.requests[state.lastNumber] = Entry(control: RequestControl(), group: nil)
            return state.lastNumber
        }
        let task = Task { [self] in
            let outcome = await work()
            _ = state.withLock { $0.requests.removeValue(forKey: number) }
            answer(outcome)
        }
        state.withLock { $0.requests[number]?.task = task }
        return number
    }

    /// Reads a request to save annotations.
    func annotationRequest(_ object: [String: JSONValue], at place: String) throws(UsageError) -> AnnotationRequest {
        try reader.withLock { reader throws(UsageError) in try reader.annotations(object, at: place) }
    }

    /// The pixels in the memory cache; nil if the picture has to be requested.
    func lookUp(_ list: TextOptions.List?) throws(UsageError) -> PictureHandle? {
        let (request, _) = try read(list, .pixels)
        return service.picturesAtOnce(for: request).flatMap { PictureHandle.chain($0, request.picture.identifier) }
    }

    private func read(
        _ list: TextOptions.List?, _ kind: Kind
    ) throws(UsageError) -> (ServiceRequest, OutputFiles.Place?) {
        let pairs = try TextOptions.pairs(list, at: "the request")
        let name = pairs.first { $0.name == "identifier" }.map { $0.value.quoted } ?? "the request"
        let object = try TextOptions.object(pairs, at: name)
        var defaults: [String: String] = [:]
        var place: OutputFiles.Place?
        if case .file(let path) = kind {
            place = try output.place(named: absolutePath(path), at: name)
            defaults = try reader.withLock { reader throws(UsageError) in
                try reader.rows.defaults(ofFile: path, named: path.quoted, object, at: name)
            }
        }
        let request = try reader.withLock { reader throws(UsageError) in
            try reader.read(object, defaults: defaults, at: name)
        }
        if let place {
            try output.check(place, request.picture.settings.variants, sources: request.picture.files, at: name)
        }
        return (request, place)
    }

    private func run(
        _ request: ServiceRequest, _ control: RequestControl, _ kind: Kind, _ place: OutputFiles.Place?,
        _ number: UInt64
    ) async -> Answer.Outcome {
        let identifier = request.picture.identifier
        if case .pixels = kind {
            do throws(ServiceError) {
                let images = try await service.pictures(for: request, control)
                if let picture = PictureHandle.chain(images, identifier) { return .picture(picture) }
            } catch {
                return .failure(Failure(error))
            }
        }
        let work = LineWork(
            request: request, control: control, output: output, place: place, keepsBytes: place == nil,
            number: Int(number))
        let result = await work.run(with: service)
        let formats = request.picture.settings.variants.map(\.format.name)
        if let picture = PictureHandle.chain(result.outcome, result.bytes, formats, identifier) {
            return .picture(picture)
        }
        guard case .failed(let code, let report) = result.outcome else {
            return .failure(Failure(.notDrawn, "the drawing returned no picture"))
        }
        return .failure(Failure(code, report.error ?? "\(code)"))
    }

    // MARK: Control

    func cancel(_ number: UInt64) {
        if let control = state.withLock({ $0.requests[number]?.control }) { control.cancel() }
    }

    /// - Parameter group: nil for all.
    func cancel(group: String?) { for control in controls(of: group) { control.cancel() } }

    func setPriority(_ priority: RenderPriority, of number: UInt64) {
        if let control = state.withLock({ $0.requests[number]?.control }) { control.setPriority(priority) }
    }

    func setPriority(_ priority: RenderPriority, group: String) {
        for control in controls(of: group) { control.setPriority(priority) }
    }

    private func controls(of group: String?) -> [RequestControl] {
        state.withLock { state in
            // The latest first: otherwise each cancelled request would let the next one start.
            state.requests.filter { group == nil || $0.value.group == group }.sorted { $0.key > $1.key }
                .map(\.value.control)
        }
    }

    /// - Parameter seconds: 0 or less for a lease without a time limit.
    func suspend(_ seconds: Double) -> UInt64 {
        let lease = renderer.suspend(for: seconds > 0 ? .seconds(min(seconds, 1e9)) : nil)
        return state.withLock { state in
            state.leases = state.leases.filter(\.value.isActive)
            state.lastLease += 1
            state.leases[state.lastLease] = lease
            return state.lastLease
        }
    }

    func resume(_ number: UInt64) {
        // Not under the lock: a drawing that starts now may call back into this object.
        state.withLock { $0.leases.removeValue(forKey: number) }?.end()
    }

    func statistic(_ name: String) -> Int? {
        let counters = renderer.counters
        return switch name {
        case "submitted": counters.submitted
        case "joined": counters.joined
        case "started": counters.started
        case "drawn": counters.drawn
        case "encoded": counters.encoded
        case "stored": counters.stored
        case "hitsInMemory": counters.hitsInMemory
        case "hitsOnDisk": counters.hitsOnDisk
        case "cancelled": counters.cancelled
        case "failed": counters.failed
        case "evicted": counters.evicted
        case "withdrawn": counters.withdrawn
        case "underWay": state.withLock { $0.requests.count }
        case "waiting": renderer.waitingCount
        case "running": renderer.runningCount
        case "memoryPictures":
            (renderer.configuration.memory?.count ?? 0) + (renderer.configuration.files?.count ?? 0)
        case "memoryBytes": (renderer.configuration.memory?.bytes ?? 0) + (renderer.configuration.files?.bytes ?? 0)
        default: nil
        }
    }

    // MARK: Finishing

    func finish(_ pending: PendingRequests) async {
        if pending == .cancelled {
            cancel(group: nil)
            // Some requests are on their way to the queue. They must be cancelled there rather than fail because the
            // queue is closed.
            for task in state.withLock({ $0.requests.values.compactMap(\.task) }) { await task.value }
        }
        await renderer.finish(pending)
    }

    /// Releases the renderer: requests without a picture are cancelled and still get their answers.
    func end() {
        let leases = state.withLock { state in
            defer { state.leases = [:] }
            return state.leases.values.map(\.self)
        }
        // Cancel before the leases end, so that no drawing starts.
        cancel(group: nil)
        for lease in leases { lease.end() }
        Task { await finish(.cancelled) }
    }
}
