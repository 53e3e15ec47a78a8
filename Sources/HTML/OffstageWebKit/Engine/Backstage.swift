import COffstageWebKit
import CWebKitGTK
import Offstage
import OffstageGLib

/// The display, the filter and the web context that all views of an engine need.
@MainActor
final class Backstage {
    typealias SceneFinder = @MainActor (UnsafeMutablePointer<WebKitWebView>?) -> Scene?

    private let display: VirtualDisplay
    /// Compiled while the first web process starts.
    private lazy var filter = ContentFilter.compilation(hosts: hosts)
    private let hosts: AllowedHosts
    private let limits: SnapshotLimits
    private let recycling: Recycling
    private let scene: SceneFinder
    /// The context of the newest stage, which the next stage usually shares. A stage keeps its own context.
    private var context: WebContext?

    /// The stage whose start also started the context's other processes.
    private var first: WebStage?

    private init(
        display: VirtualDisplay, limits: SnapshotLimits, recycling: Recycling, hosts: AllowedHosts,
        scene: @escaping SceneFinder
    ) {
        self.display = display
        self.limits = limits
        self.recycling = recycling
        self.hosts = hosts
        self.scene = scene
    }

    /// Starts all of these. The loop turns between the steps, because each step takes 5 to 12 ms from the frames of a
    /// host.
    ///
    /// - Parameters:
    ///   - kind: the kind of the first stage; nil if unknown.
    ///   - scene: finds the scene that a view draws now, to answer the view's requests.
    static func start(
        limits: SnapshotLimits, recycling: Recycling, hosts: AllowedHosts, kind: @MainActor () async -> StageKind?,
        scene: @escaping SceneFinder
    ) async throws(EngineUnavailable) -> Backstage {
        MainLoop.attach()
        // Do both at the same time: the libraries take 50 ms of one processor, and the display 40 ms of another.
        let libraries = Task.detached { () -> Result<Void, EngineUnavailable> in
            do throws(EngineUnavailable) { return .success(try SharedLibrary.webKit.load()) } catch {
                return .failure(error)
            }
        }
        // A host has the machine's EGL; the program `offstage` has its own, which is empty.
        let driver = PinnedEnvironment.isApplied ? nil : Task.detached { MachineEGL.load() }
        let space = NetworkNamespace.making(for: hosts)
        let display = try await VirtualDisplay.shared()
        try NetworkNamespace.use(await space?.value, with: display, for: hosts)
        try await libraries.value.get()
        await driver?.value
        guard offstage_redirect_calls() else {
            throw EngineUnavailable(
                problem:
                    "WebKit's calls cannot be redirected: this system does not allow writing to a library's memory",
                remedy: "draw with the program `offstage`")
        }
        gtk_parse_args(nil, nil)
        ColorTheme.register()
        try display.hold()
        PinnedSettings.apply()
        await MainLoop.turn()
        startJavaScriptCore()
        await MainLoop.turn()
        startWebKit()
        await MainLoop.turn()
        let backstage = Backstage(display: display, limits: limits, recycling: recycling, hosts: hosts, scene: scene)
        if let kind = await kind() {
            _ = backstage.context(for: kind)
            WebProcess.countWithNext()
        }
        await MainLoop.turn()
        return backstage
    }

    /// Makes WebKit's first class, which takes 8 ms, half of them for JavaScriptCore.
    private static func startJavaScriptCore() {
        offstage_stage_enter(nil)
        defer { offstage_stage_leave() }
        // Static types are never released.
        _ = g_type_class_ref(webkit_settings_get_type())
    }

    /// Makes WebKit's first object. It takes 9 ms, mostly to start EGL, with which WebKit does not draw.
    private static func startWebKit() {
        offstage_stage_enter(nil)
        defer { offstage_stage_leave() }
        _ = WebSettings(runsScripts: false)
    }

    func makeStage(_ kind: StageKind) throws(EngineUnavailable) -> WebStage {
        let (stage, process) = try WebProcess.started(runsScripts: kind.runsScripts) { () throws(EngineUnavailable) in
            try WebStage(kind, context: context(for: kind), display: display, limits: limits, hosts: hosts)
        }
        stage.process = process
        stage.hidden.filter = Layer.contentFilter.isOn ? filter : nil
        stage.recycling = recycling
        if first == nil { first = stage }
        return stage
    }

    /// Makes a view for a window of the host, with the stages' context and filter.
    ///
    /// - Returns: a floating reference to the view, and its web process.
    func makeView(
        _ kind: StageKind, _ settings: WebSettings, _ scripts: DocumentScripts
    ) async throws(EngineUnavailable) -> (view: UnsafeMutablePointer<WebKitWebView>, process: WebProcess?) {
        scripts.add(try await filter.value.get())
        return WebProcess.started(runsScripts: kind.runsScripts) {
            let view = offstage_web_view_new(
                context(for: kind).pointer, settings.pointer, scripts.pointer,
                ContentPolicy.securityPolicy(runsScripts: kind.runsScripts, hosts: hosts))!
            // This starts the process. The load itself is rejected.
            webkit_web_view_load_uri(view, "about:blank")
            return view
        }
    }

    private func context(for kind: StageKind) -> WebContext {
        if let context, context.locale == kind.locale, context.isSandboxed == kind.isSandboxed,
            first?.process?.hasLostNetworkProcess != true
        {
            return context
        }
        first = nil
        offstage_stage_enter(nil)
        defer { offstage_stage_leave() }
        let new = WebContext(kind.locale, isSandboxed: kind.isSandboxed, hasHosts: !hosts.hosts.isEmpty)
        ResourceScheme(scene: scene).register(with: new.pointer)
        context = new
        return new
    }
}
