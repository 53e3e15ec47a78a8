import Foundation
import Offstage
import OffstageRequests
import OffstageShared

/// Draws the jobs of other machines.
package struct RemoteDrawing: Sendable {
    let renderer: Renderer
    /// False: documents whose clients want page scripts are rejected.
    let allowsScripts: Bool
    /// The machine's own limits.
    let limits: ParsedOptions

    /// The names of the sources that this machine draws; nil for all.
    let sources: [String]?

    package init(_ renderer: Renderer, allowsScripts: Bool, limits: ParsedOptions, sources: [String]? = nil) {
        (self.renderer, self.allowsScripts, self.limits, self.sources) = (renderer, allowsScripts, limits, sources)
    }

    /// Draws a job, and puts its pictures on the shelf.
    ///
    /// - Returns: nil for success.
    package func draw(_ job: SharedJob) async -> DrawingError? {
        // Other accounts cannot read this folder.
        var template = Array((NSTemporaryDirectory() + "offstage-job-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            return .unavailable(
                EngineUnavailable(
                    problem:
                        "cannot create a folder in \(NSTemporaryDirectory()): \(String(cString: strerror(errno)))",
                    remedy: "free some space there, or set TMPDIR"))
        }
        let folder = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        defer { try? FileManager.default.removeItem(atPath: folder) }
        do {
            let portable = try PortableRequest(job.request)
            // Untrusted: the request may not be the one that the key was made from.
            if let sources, !sources.contains(portable.source) {
                throw UsageError("the machine that took this job does not draw the source \(portable.source.quoted)")
            }
            if portable.runsScripts, !allowsScripts {
                throw UsageError("the machines that draw do not run page scripts; start them with --allow-javascript")
            }
            var (request, variants) = try portable.request(in: folder, limits: limits)
            // Whatever the client claims, its pictures are stored under the key of its document.
            guard let key = renderer.sharedKey(for: request, as: variants), key == job.key else {
                throw UsageError(
                    "the machine that draws reads the request differently; use the same version of Offstage on both")
            }
            request.identifier = "//shared/\(key)"
            // This machine's own clients take turns with all others together.
            var others = RenderClient("//shared")
            others.isSeveral = true
            let options = RenderOptions(priority: RenderPriority(rawValue: job.priority) ?? .normal, client: others)
            let files = try await renderer.files(for: request, as: variants, options: options)
            if files.contains(where: \.isCached) { await renderer.shareFiles(for: request, as: variants) }
            return nil
        } catch let error as RenderError {
            return error.reason
        } catch {
            return .invalidRequest("\(error)")
        }
    }

    /// The number of drawings that can be claimed now: more than are drawn at once, so that no slot waits for
    /// PostgreSQL.
    package var room: Int { max(0, 2 * renderer.width - renderer.waitingCount - renderer.runningCount) }
}

/// Submits requests for other machines to draw.
package struct RemoteRequests: Sendable {
    package let shelf: PostgresShelf

    package init(_ shelf: PostgresShelf) { self.shelf = shelf }

    /// Submits a request to all machines, including this one, and waits until one of them has drawn it. Afterwards, the
    /// renderer finds its pictures.
    ///
    /// - Parameter submits: called before it is submitted, with the job's key.
    /// - Returns: nil if it cannot be submitted; the caller then draws it.
    package func drawn(
        _ portable: PortableRequest, _ request: any DrawingRequest, _ variants: [FileVariant], _ options: RenderOptions,
        for renderer: Renderer, submits: (Digest) -> Void = { _ in }
    ) async -> SharedOutcome? {
        let encoded = portable.encoded
        guard encoded.count <= PostgresShelf.largestRequest,
            let key = renderer.sharedKey(for: request, as: variants.map { $0.resolved(for: request) })
        else { return nil }
        submits(key)
        return await shelf.drawn(
            .init(
                key: key, request: encoded, client: options.client?.name ?? "", share: options.client?.share ?? 1,
                priority: options.priority.rawValue, isImmediate: options.isImmediate,
                source: portable.source))
    }
}
