import Foundation

/// The files that were made of one picture, or that are kept from before.
public struct RenderedFiles: Sendable {
    /// Which of several parts that the request asked for, from 1; nil for a whole picture.
    public let part: Int?
    /// Device px to a CSS px, of the first file.
    public let scale: Double
    /// Of all drawings that the files needed.
    public internal(set) var warnings: [DrawingWarning]
    /// What stands in the picture, of the first drawing; nil where the request did not ask for it.
    public let content: PictureContent?
    /// True: nothing was drawn for it.
    public internal(set) var isKept: Bool
    /// From the start of the drawing, after any waiting, to the files' last byte; or that of the look-up. The sum, where the
    /// files needed several drawings.
    public internal(set) var duration: Duration
    /// In the order of the variants.
    public internal(set) var files: [File]

    /// False where the picture lacks something that its author put there; `warnings` says what.
    public var isComplete: Bool { !warnings.contains(where: \.code.isDefect) }

    public struct File: Sendable {
        /// Device px; a thumbnail's own.
        public let size: PixelSize
        /// Device px to a CSS px; a thumbnail's is that of the picture it was made of.
        public let scale: Double
        public let byteCount: Int
        /// Of the bytes: a file that has the same is this one.
        public let content: Digest
        /// The bytes where they are in memory; nil where they have to be read.
        public let dataAtOnce: Data?
        private let bytes: @Sendable () async -> Data?

        init(
            size: PixelSize, scale: Double, byteCount: Int, content: Digest, dataAtOnce: Data? = nil,
            bytes: @escaping @Sendable () async -> Data?
        ) {
            (self.size, self.scale, self.byteCount, self.content) = (size, scale, byteCount, content)
            self.dataAtOnce = dataAtOnce
            self.bytes = bytes
        }

        /// The bytes; nil where they are not kept any more, or damaged: the picture has to be drawn then.
        public func data() async -> Data? { await bytes() }
    }
}
