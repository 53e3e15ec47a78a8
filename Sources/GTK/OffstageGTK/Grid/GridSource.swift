import Foundation
import Offstage

/// A section of a grid.
public struct GridSection: Sendable, Hashable {
    /// The heading above the section's cells; nil for a section without a heading.
    public var title: String?
    /// The number of cells.
    public var cellCount: Int

    public init(title: String?, cellCount: Int) { (self.title, self.cellCount) = (title, cellCount) }
}

/// The cells of a grid. A cell corresponds to a row of a list, so the same source can also fill a list.
@MainActor
public protocol GridSource: ListSource {
    /// The sections, from the top. Cells beyond the last section follow without a heading. Sections without cells are not shown.
    /// Default none: a grid without headings.
    var sections: [GridSection] { get }

    /// The request for a cell's picture; nil for a cell that shows only its label. The grid calls it on the main thread
    /// when the cell comes near the screen, so it must be quick. If it cannot be, implement `isReady`.
    ///
    /// The default returns the request for a row of this width.
    ///
    /// - Parameters:
    ///   - cell: from 0, less than `rowCount`.
    ///   - width: the width of the box for the picture, CSS px. A picture that is larger is shown smaller.
    ///   - height: the height of the box, CSS px.
    ///   - scale: device px per CSS px: the monitor's scale times the grid's zoom.
    /// - Returns: a request with the cell's identifier, of any type for which the renderer has an engine.
    func request(at cell: Int, width: Int, height: Int, scale: Double) -> (any DrawingRequest)?

    /// The text below a cell's picture. Screen readers read it, and typed letters find it. Default: `plainText(at:)`.
    func label(at cell: Int) -> String?

    /// The file that users drag out of a cell to other programs; nil if the cell cannot be dragged. Default nil.
    func file(at cell: Int) -> URL?
}

extension GridSource {
    public var sections: [GridSection] { [] }

    public func request(at cell: Int, width: Int, height: Int, scale: Double) -> (any DrawingRequest)? {
        request(at: cell, width: width, scale: scale)
    }

    public func label(at cell: Int) -> String? { plainText(at: cell) }
    public func file(at cell: Int) -> URL? { nil }
}
