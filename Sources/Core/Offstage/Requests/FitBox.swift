/// The box that a page's picture is fitted into, keeping the page's proportions.
public struct FitBox: Sendable, Hashable {
    /// CSS px, from 1 to `longestSide`.
    public var width: Int
    /// CSS px, from 1 to `longestSide`.
    public var height: Int

    /// CSS px. Pages are smaller, so a side of this length does not limit them.
    public static let longestSide = 1_000_000

    /// Makes a box.
    ///
    /// - Parameters:
    ///   - width: CSS px, from 1 to `longestSide`.
    ///   - height: CSS px, from 1 to `longestSide`.
    public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    var isValid: Bool { (1...Self.longestSide).contains(width) && (1...Self.longestSide).contains(height) }
}
