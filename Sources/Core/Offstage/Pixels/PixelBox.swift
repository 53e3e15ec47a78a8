/// A rectangle of device px; `right` and `bottom` are the first column and row outside it.
public struct PixelBox: Sendable, Hashable {
    public var left: Int
    public var top: Int
    public var right: Int
    public var bottom: Int

    public init(left: Int, top: Int, right: Int, bottom: Int) {
        self.left = left
        self.top = top
        self.right = right
        self.bottom = bottom
    }

    public var size: PixelSize { PixelSize(width: right - left, height: bottom - top) }
    public var isEmpty: Bool { right <= left || bottom <= top }
}
