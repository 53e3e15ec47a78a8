import COffstageWebKit
import CWebKitGTK
import Foundation
import Offstage
import OffstageGLib

/// A web view in a hidden window, with everything that is set before a document is loaded.
@MainActor
final class HiddenView {
    let view: UnsafeMutablePointer<WebKitWebView>
    let scripts: DocumentScripts
    /// The filter to add. `Backstage` sets it; `applyFilter` takes it before the first drawing.
    var filter: ContentFilter.Compilation?
    private let window: HiddenWindow
    /// Kept alive for the view, which needs it.
    private let context: WebContext
    private let settings: WebSettings
    private var background: Color?

    init(
        _ kind: StageKind, context: WebContext, display: VirtualDisplay, hosts: AllowedHosts
    ) throws(EngineUnavailable) {
        self.context = context
        settings = WebSettings(runsScripts: kind.runsScripts)
        scripts = DocumentScripts(runsScripts: kind.runsScripts)
        view = offstage_web_view_new(
            context.pointer, settings.pointer, scripts.pointer,
            Layer.contentPolicy.isOn
                ? ContentPolicy.securityPolicy(runsScripts: kind.runsScripts, hosts: hosts) : ContentPolicy.none)
        // The view must outlive its window: a drawing step may still run after the window is destroyed.
        g_object_ref_sink(view)
        do { window = try HiddenWindow(on: display, around: cast(view)) } catch {
            g_object_unref(view)
            throw error
        }
    }

    isolated deinit {
        window.close()
        g_object_unref(view)
    }

    /// Starts the web process while the filter is being compiled. The load itself is rejected, like every load that
    /// does not belong to a scene.
    func startProcess() { webkit_web_view_load_uri(view, "about:blank") }

    /// Ends the web process and the window.
    func close() {
        webkit_web_view_terminate_web_process(view)
        window.close()
    }

    /// Waits for the filter's compilation, if this view does not have the filter.
    func applyFilter() async throws(DrawingError) {
        guard let filter else { return }
        do throws(EngineUnavailable) { scripts.add(try await filter.value.get()) } catch { throw .unavailable(error) }
        self.filter = nil
    }

    /// Prepares the view for a snippet.
    func set(for snippet: Snippet, _ source: SourceText) {
        set(viewportOf: snippet.geometry)
        set(background: snippet.background ?? .white)
        settings.set(snippet.emulation.fonts)
        // Not for XML, which WebKit parses in one go, nor with page scripts, which may need the layout.
        let isVast = snippet.type == .html && !snippet.runsScripts && source.mayExceed(snippet.limits.elements)
        scripts.set(for: snippet, isVast: isVast)
    }

    /// Changes only the viewport's size.
    func set(viewportOf geometry: Geometry) {
        window.setViewport(
            width: geometry.width, height: max(1, geometry.resolvedViewportHeight), scale: geometry.windowScale)
    }

    func set(background: Color) {
        if self.background == background { return }
        self.background = background
        var color = GdkRGBA(background)
        webkit_web_view_set_background_color(view, &color)
    }
}
