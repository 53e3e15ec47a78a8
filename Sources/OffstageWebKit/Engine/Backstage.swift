import CWebKitGTK
import Offstage

/// What the views of an engine stand on.
@MainActor
final class Backstage {
    typealias SceneFinder = @MainActor (UnsafeMutablePointer<WebKitWebView>?) -> Scene?

    private let display: VirtualDisplay
    /// Compiled while the first web process starts.
    private lazy var filter = ContentFilter.compilation()
    private let limits: SnapshotLimits
    private let recycling: Recycling
    private let scene: SceneFinder
    /// Of the last stage that was made: most often the next one's too. A stage keeps its own.
    private var context: (locale: WebContext.Locale, context: WebContext)?

    /// With which the context's helper processes were started.
    private var first: WebStage?

    private init(display: VirtualDisplay, limits: SnapshotLimits, recycling: Recycling, scene: @escaping SceneFinder) {
        self.display = display
        self.limits = limits
        self.recycling = recycling
        self.scene = scene
    }

    /// - Parameter scene: who draws what now, for a view's requests.
    static func start(
        limits: SnapshotLimits, recycling: Recycling, scene: @escaping SceneFinder
    ) async throws(EngineUnavailable) -> Backstage {
        MainLoop.attach()
        // Beside each other: 50 ms of a processor, and 40 ms of another.
        let libraries = Task.detached { () -> Result<Void, EngineUnavailable> in
            do throws(EngineUnavailable) { return .success(try SharedLibrary.webKit.load()) } catch {
                return .failure(error)
            }
        }
        let display = try await VirtualDisplay.shared()
        try await libraries.value.get()
        gtk_parse_args(nil, nil)
        try display.hold()
        PinnedSettings.apply()
        return Backstage(display: display, limits: limits, recycling: recycling, scene: scene)
    }

    func makeStage(_ kind: StageKind) throws(EngineUnavailable) -> WebStage {
        let launch = LaunchWatch()
        let stage: WebStage
        do throws(EngineUnavailable) {
            stage = try WebStage(kind, context: context(for: kind.locale), display: display, limits: limits)
        } catch {
            _ = launch.end()
            throw error
        }
        stage.process = WebProcess(launch.end())
        stage.filter = filter
        stage.recycling = recycling
        if first == nil { first = stage }
        return stage
    }

    private func context(for locale: WebContext.Locale) -> WebContext {
        if let context, context.locale == locale, first?.process?.hasLostNetworkProcess != true {
            return context.context
        }
        first = nil
        let new = WebContext(locale)
        ResourceScheme(scene: scene).register(with: new.pointer)
        context = (locale, new)
        return new
    }
}
