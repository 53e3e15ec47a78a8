import CGTK
import Offstage
import OffstageGLib
import OffstagePages

/// Frames and sizes.
extension PageView: CanvasOwner {
    func update() { canvas.queueDraw() }

    func draw(_ context: OpaquePointer) {
        shown = []
        PageFrame(self, context).paint()
    }

    // MARK: Sizes

    func sizeChanged() {
        let (width, height) = (Double(canvas.width), Double(canvas.height))
        var sizing = requests.sizing
        guard width > 1, height > 1,
            (width, height) != (sizing.width, sizing.height) || canvasScale != sizing.deviceScale
        else { return }
        let isFirst = sizing.width == 0
        (sizing.width, sizing.height, sizing.deviceScale) = (width, height, canvasScale)
        requests.sizing = sizing
        if isFirst {
            renderer.loadThumbnails(fittingInto: options.thumbnail, scale: canvasScale)
            return requestAll()
        }
        // The old pictures are stretched meanwhile.
        placePages()
        resizeTimer = LoopTimer(seconds: options.resizeDelay / .seconds(1)) { [weak self] in
            self?.resizeTimer = nil
            self?.requestAll()
        }
    }

    private var canvasScale: Double { Double(canvas.scale) }

    func scaleChanged() { sizeChanged() }
    func styleChanged() { canvas.queueDraw() }
    func valueChanged() {}
    func adjustmentReplaced() {}

    func focusChanged() { accessible.focusChanged() }

    func destroyed() { letGo() }
}
