/// What is done to a picture's edges once it is drawn.
public struct Margins: Sendable, Hashable {
    /// True: the rows and columns at the edges that have nothing but the colour of the top left pixel are cut off. A
    /// picture of one colour stays as it is. Default false.
    public var isTrimmed: Bool
    /// CSS px of `color` around the picture, after the trimming. Default 0.
    public var padding: Int
    /// Of the padding; nil, the default, for the drawing's background.
    public var color: Color?

    /// Nothing is to be done to the picture's edges.
    var areAsDrawn: Bool { !isTrimmed && padding == 0 }

    public init(isTrimmed: Bool = false, padding: Int = 0, color: Color? = nil) {
        self.isTrimmed = isTrimmed
        self.padding = padding
        self.color = color
    }
}
