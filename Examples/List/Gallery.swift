import Foundation
import Offstage
import OffstageGTK
import OffstageWebKit

/// The files of the list as the cells of a grid.
extension Folder: GridSource {
    var sections: [GridSection] {
        [
            GridSection(title: "Each file once", cellCount: names.count),
            GridSection(title: "Repeated", cellCount: rowCount - names.count),
        ]
    }

    func request(at cell: Int, width: Int, height: Int, scale: Double) -> (any DrawingRequest)? {
        // Lay the document out twice as wide as its cell, and draw it at half the scale.
        guard var snippet = request(at: cell, width: 2 * width, scale: max(0.25, scale / 2)) as? Snippet else {
            return nil
        }
        snippet.geometry.maximumHeight = 2 * height
        return snippet
    }

    func file(at cell: Int) -> URL? { URL(fileURLWithPath: path + "/" + name(at: cell)) }
}

@MainActor
func gallery(of folder: Folder, renderer: Renderer) -> PictureGrid {
    var options = GridOptions()
    options.cellSize = PixelSize(width: 200, height: 150)
    let grid = PictureGrid(renderer: renderer, source: folder, options: options)
    grid.onSelect = { cells in print("\(cells.count) selected") }
    grid.onActivate = { cell in print("open \(folder.name(at: cell))") }
    return grid
}
