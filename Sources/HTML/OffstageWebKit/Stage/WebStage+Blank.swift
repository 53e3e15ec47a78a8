import Foundation
import Offstage

/// Checks the finished picture: an empty picture of a document that shows something is a WebKit error.
extension WebStage {
    /// Returns true if a picture, or a part, has only one colour, although the document certainly shows another one
    /// there. For a picture in which two pixels differ, this costs nothing.
    func isBlank(_ drawing: Drawing, of scene: Scene, _ readiness: Readiness) async throws -> Bool {
        let blank = await Self.onlyPixels(of: drawing.pixmaps)
        if blank.isEmpty { return false }
        let boxes = try PictureFrame(scene.snippet, readiness).boxes
        for (index, pixel) in blank where index < boxes.count {
            let box = box(boxes[index], scale: drawing.scale)
            let color = straight(pixel)
            let answer = await outcome(isInterruptible: false) {
                evaluate("\(PageScripts.visible)\nreturn String(showsSomething([\(box)], [\(color)]))", $0)
            }
            if case .success("true") = answer { return true }
        }
        return false
    }

    /// Returns the pixmaps that have only one colour. Most others already differ within the first pixels. Large ones
    /// are checked off the main thread, because they may be in a file.
    private static func onlyPixels(of pixmaps: [Offstage.Pixmap]) async -> [(index: Int, pixel: UInt32)] {
        let bytes = pixmaps.reduce(0) { $0 + $1.byteCount }
        return bytes > 8 << 20 ? await onlyPixelsElsewhere(pixmaps) : onlyPixelsHere(pixmaps)
    }

    @concurrent
    private nonisolated static func onlyPixelsElsewhere(
        _ pixmaps: [Offstage.Pixmap]
    ) async -> [(index: Int, pixel: UInt32)] {
        onlyPixelsHere(pixmaps)
    }

    private nonisolated static func onlyPixelsHere(_ pixmaps: [Offstage.Pixmap]) -> [(index: Int, pixel: UInt32)] {
        pixmaps.enumerated().compactMap { index, pixmap in pixmap.onlyPixel.map { (index, $0) } }
    }

    /// Returns the box in CSS px, as JavaScript.
    private func box(_ box: PixelBox, scale: Double) -> String {
        let numbers = [box.left, box.top, box.size.width, box.size.height].map { Double($0) / scale }
        return "{ x: \(numbers[0]), y: \(numbers[1]), width: \(numbers[2]), height: \(numbers[3]) }"
    }

    /// Returns red, green, blue and alpha of a premultiplied pixel, as JavaScript.
    private func straight(_ pixel: UInt32) -> String {
        let alpha = pixel >> 24
        let parts = [16, 8, 0].map { shift in alpha == 0 ? 0 : min(255, (pixel >> shift & 255) * 255 / alpha) }
        return (parts + [alpha]).map(String.init).joined(separator: ", ")
    }
}
