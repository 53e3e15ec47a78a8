import Foundation
import Offstage
import Synchronization

/// Draws snippets in worker programs, `offstage-html`, in which WebKitGTK runs. For any program, on any thread.
///
/// Nothing starts before the first drawing.
public final class HTMLEngine: Engine {
    public let capacity: Int
    /// The hosts from which documents may load images, style sheets and fonts, and from which page scripts may load
    /// anything. With allowed hosts, pictures are not cached, because a host may send something else at any time.
    public let allowedHosts: AllowedHosts
    /// The web processes that run in WebKit's sandbox.
    public let sandbox: Sandbox
    private let folder: Mutex<String?>
    private let viewsPerWorker: Int
    private let workers: HTMLWorkers

    /// The largest picture, device px.
    public static let sizeLimit = PixelSize(width: SnapshotLimits.engine.side, height: SnapshotLimits.heightLimit)

    /// A folder into which the engine writes each snippet's document before it draws it, byte for byte. Default nil: no
    /// folder.
    public var documentFolder: String? {
        get { folder.withLock { $0 } }
        set { folder.withLock { $0 = newValue } }
    }

    /// - Parameters:
    ///   - views: the number of snippets that the engine may draw at once. Default 1.
    ///   - allowedHosts: the hosts from which documents may load; default none.
    ///   - sandbox: the web processes that run in WebKit's sandbox. Default: all, on a machine that allows a sandbox.
    public convenience init(
        views: Int = 1, allowedHosts: AllowedHosts = AllowedHosts(), sandbox: Sandbox = .wherePossible
    ) {
        self.init(views: views, workers: views, allowedHosts: allowedHosts, sandbox: sandbox)
    }

    /// - Parameter workers: the number of worker programs among which the views are divided.
    package init(views: Int, workers: Int, allowedHosts: AllowedHosts, sandbox: Sandbox) {
        precondition(views > 0 && workers > 0, "an engine needs at least one view and one worker")
        capacity = views
        self.allowedHosts = allowedHosts
        self.sandbox = sandbox
        folder = Mutex(nil)
        self.workers = HTMLWorkers(most: min(views, workers))
        viewsPerWorker = (views + workers - 1) / workers
    }

    deinit { workers.beginEnd() }

    private var configuration: HTMLConfiguration {
        HTMLConfiguration(views: viewsPerWorker, allowedHosts: allowedHosts, sandbox: sandbox)
    }

    /// The reason why pictures were drawn without a sandbox, although one was wanted; nil if none was.
    package var sandboxAbsence: EngineUnavailable? { workers.sandboxAbsence }

    /// Asks a worker for the state of what drawings need, and starts one if necessary.
    package func diagnosis() async throws(EngineUnavailable) -> HTMLDiagnosis {
        let worker: HTMLWorker
        do throws(DrawingError) { worker = try workers.take(isFresh: false, configuration) } catch {
            throw EngineUnavailable(problem: "\(error)", remedy: "use another engine")
        }
        defer { worker.putBack() }
        return try await worker.diagnosis()
    }

    /// Identifies the engine and the fonts: 16 hexadecimal digits. Machines with the same digits can exchange caches.
    public static var machineClass: String { Machine.identity }

    /// The parts of `machineClass`: names and digests.
    package static var machineDetails: [(name: String, digest: String)] { Machine.details }

    /// True if this machine would draw a picture of this fingerprint with the same engine and the same fonts. Only then
    /// can this machine use the picture from another machine's cache.
    public static func agrees(with fingerprint: Fingerprint) -> Bool { Machine.agrees(with: fingerprint) }

    @MainActor public var restarts: Int { workers.losses }

    public func draw(_ snippet: Snippet) async throws(DrawingError) -> Drawing {
        try snippet.validate()
        if let documentFolder { try await snippet.saveDocument(in: documentFolder) }
        if snippet.medium != .pixels {
            // The encoders make subsets of the fonts.
            do throws(EngineUnavailable) { try SharedLibrary.harfBuzzSubset.load() } catch { throw .unavailable(error) }
        }
        var attempts = Attempts()
        while true {
            let worker = try workers.take(isFresh: attempts.needFreshProcess, configuration)
            // Another worker may have finished its drawing meanwhile.
            let outcome = await worker.draw(snippet) { [workers, viewsPerWorker] in workers.relieve(viewsPerWorker) }
            worker.putBack()
            workers.relieve(viewsPerWorker)
            guard let outcome else { continue }
            switch attempts.next(after: outcome) {
            case .answer(let drawing, _): return drawing
            case .again, .alone, .redraw: break
            case .giveUp(let error): throw error
            }
        }
    }

    public func fingerprint(of snippet: Snippet) -> Fingerprint? {
        allowedHosts.hosts.isEmpty ? Machine.fingerprint(of: snippet) : nil
    }

    public func digest(of path: String, for snippet: Snippet) async -> Digest? {
        await snippet.base?.digest(at: path)
    }

    public func shutDown() async { await workers.ended() }
}
