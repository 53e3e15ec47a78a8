import CGTK
import Offstage
import OffstageGLib
import OffstageLists

/// The options that lists and grids share.
struct ItemOptions {
    var lookAhead = 2.0
    var drawing = DrawingWhileScrolling.governed
    var governor = FrameGovernor.Times()
    var suspension = ScrollSuspender.Times()
    var resizeDelay = Duration.milliseconds(100)
    var thumbnail: PixelSize?
    var showsStale = false
    var group: String?
    var showsOnlyThumbnails = false
}

/// The parts that a list and a grid have in common, and the state of their sizes.
@MainActor
final class ItemParts {
    let renderer: Renderer
    let source: any ListSource
    let options: ItemOptions
    let canvas = Canvas()
    let updates: FrameUpdates
    let viewport: Viewport
    let frames: FrameGuard?
    let slots: PictureSlots
    let pointer: ItemPointer
    let accessible: AccessibleRows
    private(set) var lookAhead: LookAhead?
    /// Device px per GTK px of the monitor.
    var scale = 1.0
    /// Device px per CSS px of the thumbnails that have been loaded from the store.
    var loadedScales: Set<Double> = []
    /// Requests the items at a new size.
    var resizeTimer: LoopTimer?

    init(renderer: Renderer, source: any ListSource, options: ItemOptions) {
        (self.renderer, self.source, self.options) = (renderer, source, options)
        let suspends = options.drawing == .suspended
        let suspender = ScrollSuspender(times: options.suspension) { suspends ? renderer.suspend(for: $0) : nil }
        frames =
            options.drawing == .governed ? FrameGuard(renderer, widget: canvas.inner, times: options.governor) : nil
        updates = FrameUpdates(canvas)
        viewport = Viewport(canvas, suspender: suspender)
        slots = PictureSlots(
            renderer: renderer, source: source,
            options: PictureSlots.Options(
                group: options.group, showsStale: options.showsStale, thumbnail: options.thumbnail,
                showsOnlyThumbnails: options.showsOnlyThumbnails && options.thumbnail != nil))
        pointer = ItemPointer(canvas)
        accessible = AccessibleRows(canvas)
    }

    /// Connects the parts to the view that owns them.
    func connect(to view: some ItemView) {
        canvas.owner = view
        slots.owner = view
        pointer.finder = view
        accessible.owner = view
        lookAhead = LookAhead(
            renderer: renderer, source: source, options: slots.options,
            request: { [weak view] in view?.request(at: $0) }, becameReady: { [weak view] in view?.changed() })
        let suspender = viewport.suspender
        suspender.attach(to: cast(canvas.outer) as UnsafeMutablePointer<GtkScrolledWindow>)
        suspender.onChange = { [weak self, weak view] isScrolling in
            if !isScrolling { self?.frames?.end() }
            view?.scrollingChanged(isScrolling)
        }
    }

    /// Makes no more requests, and releases all resources.
    func close() {
        resizeTimer = nil
        accessible.close()
        slots.close()
        lookAhead?.close()
        viewport.suspender.detach()
        frames?.end()
    }
}
