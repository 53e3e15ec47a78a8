import Offstage

/// A step between ready and paint: finds the viewport's height (height.js).
extension WebStage {
    /// Lays out the document in other viewports until the report keeps the current one.
    ///
    /// - Returns: the report of the last layout.
    func laidOut(_ scene: Scene, _ first: Readiness) async throws -> Readiness {
        // An incomplete document has no meaningful height.
        if scene.isOverdue { return first }
        var readiness = first
        while let height = readiness.viewport {
            scene.lay(inViewportOf: height)
            hidden.set(viewportOf: scene.snippet.geometry)
            readiness = try await report("report", scene, isInterruptible: false)
        }
        return readiness
    }
}

/// The viewport while a document's scripts run.
extension WebStage {
    /// Shows the scripts an ordinary window, unless the viewport's height is given. The layouts that find the
    /// viewport's height begin with a viewport of 1 px, which scripts would mistake for a window of that height.
    func openWindow(for scene: Scene) {
        guard let height = ViewportRule.window(of: scene.snippet) else { return }
        scene.hasWindow = true
        var geometry = scene.snippet.geometry
        geometry.viewportHeight = height
        hidden.set(viewportOf: geometry)
    }

    /// Restores the view's own viewport, once the scripts are at rest.
    func closeWindow(of scene: Scene) {
        guard scene.hasWindow else { return }
        scene.hasWindow = false
        hidden.set(viewportOf: scene.snippet.geometry)
    }
}

/// The limits within which a document's viewport may follow its content.
struct ViewportRule: Encodable {
    /// True if the document certainly depends on the viewport's height. False if only its elements can show that.
    var certainly: Bool
    /// The minimum height, in CSS px.
    var least: Int
    /// The maximum height, in CSS px. For a higher document, no viewport is found.
    var most: Int
    /// True if the picture is cut off at that height.
    var isCut: Bool

    /// The largest value of `most`, in CSS px. Each tile of a picture in tiles has at least the viewport's size.
    private static let highest = 8_191

    /// The height of an ordinary window, CSS px, as in height.js.
    private static let ordinary = 600

    /// The height of the window that a document's scripts see while it loads. Nil if its viewport has the given height.
    static func window(of snippet: Snippet) -> Int? {
        let geometry = snippet.geometry
        guard snippet.runsScripts, !snippet.medium.isPaper, snippet.type != .svg, geometry.height == .content,
            geometry.viewportHeight == nil
        else { return nil }
        return max(geometry.minimumHeight ?? 1, min(ordinary, geometry.maximumHeight ?? .max))
    }

    /// - Returns: nil for a document that does not depend on the viewport's height, or whose viewport has a given height.
    @MainActor
    init?(_ scene: Scene, _ limits: SnapshotLimits) {
        let (source, geometry) = (scene.source, scene.geometry)
        guard geometry.height == .content, geometry.viewportHeight == nil, scene.snippet.type != .svg,
            source.usesViewport || source.mayUseViewport || scene.snippet.runsScripts
        else { return nil }
        certainly = source.usesViewport
        least = geometry.minimumHeight ?? 1
        let highest = min(Self.highest, limits.side / geometry.windowScale)
        most = min(geometry.maximumHeight ?? .max, highest)
        isCut = geometry.maximumHeight.map { $0 <= highest } ?? false
    }
}
