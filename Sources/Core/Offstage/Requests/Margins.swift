/// Changes to a picture's edges after the drawing.
public struct Margins: Sendable, Hashable, Codable {
    /// True: rows and columns at the edges are cut off if all their pixels have the colour of the top left one. A
    /// picture of one colour is not changed. Default false.
    public var isTrimmed: Bool
    /// CSS px of `color` around the trimmed picture. Default 0.
    public var padding: Int
    /// The colour of the padding; nil, the default, for the drawing's background.
    public var color: Color?

    /// True if the edges are not changed.
    var areAsDrawn: Bool { !isTrimmed && padding == 0 }

    public init(isTrimmed: Bool = false, padding: Int = 0, color: Color? = nil) {
        self.isTrimmed = isTrimmed
        self.padding = padding
        self.color = color
    }
}
