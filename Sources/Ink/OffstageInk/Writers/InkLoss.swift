import Foundation

/// Something that a format cannot store, for a warning.
public enum InkLoss: String, Sendable, Hashable, CaseIterable, Comparable {
    case pencil = "the grain of pencils"
    /// Xournal++ draws solid lines. Offstage can read the textures again.
    case textures = "the textures of brushes, which other programs draw as solid lines"
    case curves = "smooth curves, tapers and speeds, which are stored as short straight lines"
    case opacity = "the opacity of pens and markers"
    /// Xournal++ draws all highlighters with the same opacity.
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
    /// Backgrounds in the document, or found by its name.
    case attachments = "the PDF documents and images that belong to the file"

    public static func < (one: InkLoss, other: InkLoss) -> Bool { one.rawValue < other.rawValue }
}

/// An ink file, and a list of what it lacks.
public struct InkFileBytes: Sendable, Hashable {
    public var data: Data
    /// In a fixed order. Empty if the format can store everything.
    public var losses: [InkLoss]
}
