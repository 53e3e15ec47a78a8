import Foundation

/// Something that a format cannot store, for a warning.
public enum InkLoss: String, Sendable, Hashable, CaseIterable, Comparable {
    case pencil = "the grain of pencils"
    /// Xournal++ draws solid lines; Offstage reads them again.
    case textures = "the textures of brushes, which other programs draw as solid lines"
    case curves = "smooth curves, tapers and speeds, which are stored as short straight lines"
    case opacity = "the opacity of pens and markers"
    /// Xournal++ draws all highlighters with one.
    case highlighterOpacity = "the opacity of highlighters"
    case tilt = "tilt, direction and time of points"
    case texts = "texts"
    case images = "images"
    /// PDF documents on the page.
    case formulas = "formulas"
    case layers = "layers"
    case dashes = "dashes"
    case fill = "filled strokes"
    case ruling = "the paper's lines"
    case backgrounds = "backgrounds in other files"
    /// Backgrounds that are in the document, or that are found by its name.
    case attachments = "the PDF documents and images that belong to the file"

    public static func < (one: InkLoss, other: InkLoss) -> Bool { one.rawValue < other.rawValue }
}

/// A file with ink, and what it lacks.
public struct InkFileBytes: Sendable, Hashable {
    public var data: Data
    /// In the order of their texts; empty if the format can store all of it.
    public var losses: [InkLoss]
}
