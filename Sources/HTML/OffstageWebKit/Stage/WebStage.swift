import CWebKitGTK
import Foundation
import Offstage
import OffstageGLib

/// One hidden web view with its web process: draws one snippet at a time.
///
/// `life` has the state of the process, and `scene` the document that it draws. See `WebStage+Drawing.swift` for a
/// drawing, and `WebStage+Process.swift` for events of the process.
@MainActor
final class WebStage {
    let kind: StageKind
    let hidden: HiddenView
    let limits: SnapshotLimits
    let hosts: AllowedHosts
    /// The process. `Backstage` finds it and sets it.
    var process: WebProcess?
    var recycling = Recycling()
    /// For tests: changes a picture before the stage examines it.
    var change: (Drawing) -> Drawing = { $0 }

    /// The state of the web process. The engine replaces the stage once `life` is not usable.
    var life = ProcessLife()
    /// The stage calls it when the web process has started, when it has left the last document, and when it has ended without a
    /// drawing.
    var becameFree: () -> Void = {}

    /// The drawing in progress.
    var scene: Scene?
    /// The page of the last document, if the next document may be written into it.
    var page: Page?
    var fontUses = FontUses()
    /// The addresses of the documents with page scripts that the process has drawn.
    var addresses: Set<String> = []
    /// The languages whose dictionaries the process has loaded.
    var dictionaries: Set<String> = []
    /// Languages whose dictionaries the next document needs, in addition to those that its own bytes name.
    var hyphenated: Set<String> = []
    /// Languages whose dictionaries the last document needed, as it turned out while it was loading. It must be drawn again.
    var lackedLanguages: Set<String> = []
    /// Rejects documents in the attribute `srcdoc`, for a document that has itself navigated to such an address.
    var refusesFrameDocuments = false
    /// True if the last document has navigated to such an address.
    var hasLeftForFrameDocument = false
    /// Ends the current wait, if any.
    private(set) var interrupt: ((Interruption) -> Void)?
    let timeLimit = TimeLimit()
    let memoryWatch = MemoryWatch()
    let handlers = SignalHandlers()

    init(
        _ kind: StageKind, context: WebContext, display: VirtualDisplay, limits: SnapshotLimits, hosts: AllowedHosts
    ) throws(EngineUnavailable) {
        self.kind = kind
        self.limits = limits
        self.hosts = hosts
        hidden = try HiddenView(kind, context: context, display: display, hosts: hosts)
        connectSignals()
        hidden.startProcess()
    }

    isolated deinit { close() }

    var view: UnsafeMutablePointer<WebKitWebView> { hidden.view }
    var isUsable: Bool { life.isUsable }

    func set(background: Color) { hidden.set(background: background) }

    /// Ends the web process and the window, and fails the current drawing. Nothing can be drawn afterwards.
    /// A second call does nothing.
    func close() {
        if life.isClosed { return }
        life.close()
        becameFree = {}
        timeLimit.stop()
        memoryWatch.stop()
        handlers.disconnect()
        interrupt?(.lost(.crashed))
        hidden.close()
    }

    /// Starts one call into WebKit and waits for its answer, or for an event that interrupts the wait: the end of the
    /// web process, or the time limit.
    ///
    /// - Parameter isInterruptible: false for a call that delivers the picture after the deadline; only the end of the
    ///   grace ends that wait.
    func outcome<Value>(
        isInterruptible: Bool = true, _ start: (Reply<Value>) -> Void
    ) async -> Reply<Value>.Outcome {
        if let refusal = life.refusal { return .failure(.lost(refusal.cause)) }
        let reply = Reply<Value>()
        interrupt = { interruption in
            if case .deadline = interruption, !isInterruptible { return }
            reply.give(.failure(interruption))
        }
        defer { interrupt = nil }
        let outcome = await reply.wait { start(reply) }
        // The loop turns between an answer and this line, and the stage may have been closed meanwhile.
        if life.isClosed, let refusal = life.refusal { return .failure(.lost(refusal.cause)) }
        return outcome
    }
}
