import CWebKitGTK
import Foundation
import Offstage

/// Painting of documents that do not fit into one snapshot.
extension WebStage {
    /// The result of `tiles.js` once the document can be moved.
    private struct Preparation: Decodable {
        /// Number of elements that change their position when the document moves.
        var misplaced: Int
        /// The name of the first of these elements.
        var first: String?
    }

    /// Paints the frame's boxes tile by tile.
    func paintTiles(
        _ scene: Scene, _ frame: PictureFrame, isOpaque: Bool, _ warnings: [DrawingWarning]
    ) async throws -> Drawing {
        let (snippet, geometry) = (scene.snippet, scene.snippet.geometry)
        scene.isMoved = true
        let preparation = try await prepareTiles()
        var warnings = warnings
        if preparation.misplaced > 0 {
            let others = preparation.misplaced - 1
            warnings.append(
                DrawingWarning(
                    .tilesMisplaced, "<\(preparation.first ?? "?")>",
                    reason: others > 0 ? "and \(others) more" : nil))
            if snippet.requiresComplete { throw DrawingError.incomplete(warnings) }
        }
        let whole = try await painted(frame.painted, geometry, isOpaque: isOpaque)
        let parts = frame.painted.map { whole.pixmap.cropped(to: $0.moved(to: whole.origin)) }
        return Drawing(
            pixmaps: try await frame.pictures(parts),
            isInParts: snippet.selector?.isEach ?? false, scale: geometry.scale, warnings: warnings)
    }

    private func prepareTiles() async throws -> Preparation {
        let script = PageScripts.tiles
        let json = try await outcome(isInterruptible: false) {
            evaluate("\(script)\nreturn offstageTiles.prepare()", $0)
        }.get()
        timeLimit.prolongGrace()
        do {
            return try JSONDecoder().decode(Preparation.self, from: Data(json.utf8))
        } catch {
            throw DrawingError.engineFailed("the document could not be prepared for tiles")
        }
    }

    /// Paints the smallest part of the document that contains all boxes. `origin` is its position. Rows that no box needs are
    /// blank.
    private func painted(
        _ boxes: [PixelBox], _ geometry: Geometry, isOpaque: Bool
    ) async throws -> (pixmap: Offstage.Pixmap, origin: PixelBox) {
        let plan = TilePlan(boxes, geometry, limits)
        let extent = plan.extent
        if plan.tiles.count == 1 {
            return (try await paint(plan.tiles[0], of: plan, geometry, isOpaque: isOpaque), extent)
        }
        do {
            let bands = plan.tiles.map { $0.rows.lowerBound - extent.top..<$0.rows.upperBound - extent.top }
            let spool = try PixelSpool(size: extent.size, bands: bands)
            for (tile, band) in zip(plan.tiles, bands) {
                let pixmap = try await paint(tile, of: plan, geometry, isOpaque: isOpaque)
                try await Self.write(pixmap, to: spool, at: band.lowerBound)
                timeLimit.prolongGrace()
            }
            return (try spool.pixmap(isOpaque: isOpaque), extent)
        } catch let error as FileError {
            throw DrawingError.spoolFailed(error)
        }
    }

    /// Paints one tile and returns its rows without the margins.
    private func paint(
        _ tile: TilePlan.Tile, of plan: TilePlan, _ geometry: Geometry, isOpaque: Bool
    ) async throws -> Offstage.Pixmap {
        let scale = geometry.windowScale
        func layout(_ device: Int) -> Int { (device + scale - 1) / scale }
        let call =
            "show(\(tile.painted.lowerBound / scale), \(layout(plan.extent.right)), \(layout(tile.painted.count)))"
        let off = try await outcome(isInterruptible: false) { evaluate("return offstageTiles.\(call)", $0) }.get()
        guard off == "0" else { throw DrawingError.engineFailed("the document is \(off)/64 px off in a tile") }
        let surface = try await outcome(isInterruptible: false) {
            takeSnapshot(WEBKIT_SNAPSHOT_REGION_FULL_DOCUMENT, $0)
        }.get()
        let snapshot = try Offstage.Pixmap(surface: surface, isOpaque: isOpaque)
        let box = PixelBox(
            left: plan.extent.left, top: tile.rows.lowerBound - tile.painted.lowerBound, right: plan.extent.right,
            bottom: tile.rows.upperBound - tile.painted.lowerBound)
        guard snapshot.size.width >= box.right, snapshot.size.height >= box.bottom else {
            throw DrawingError.engineFailed(
                "WebKit painted a tile of \(snapshot.size) device px, not \(box.right) × \(box.bottom)")
        }
        return snapshot.cropped(to: box)
    }

    /// Runs off the main thread, because it may wait for a disk.
    @concurrent
    private nonisolated static func write(
        _ pixmap: Offstage.Pixmap, to spool: PixelSpool, at row: Int
    ) async throws(FileError) {
        try spool.write(pixmap, at: row)
    }
}

extension PixelBox {
    /// The box relative to the top left corner of another box.
    fileprivate func moved(to origin: PixelBox) -> PixelBox {
        PixelBox(
            left: left - origin.left, top: top - origin.top, right: right - origin.left, bottom: bottom - origin.top)
    }
}
