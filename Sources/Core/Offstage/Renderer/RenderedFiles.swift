import Foundation

/// The files of one picture, new or from the cache.
public struct RenderedFiles: Sendable {
    /// The number of the part, from 1; nil for a whole picture.
    public let part: Int?
    /// Device px per CSS px of the first file.
    public let scale: Double
    /// The warnings of all drawings that the files needed.
    public internal(set) var warnings: [DrawingWarning]
    /// The links, named elements and text of the first drawing; nil unless the request asks for them.
    public let content: PictureContent?
    /// True if the files are from the cache.
    public internal(set) var isCached: Bool
    /// The time from the start of the drawing, without waiting in the queue, to the last byte of the files; for cached files the
    /// time of the lookup. The sum if the files needed several drawings.
    public internal(set) var duration: Duration
    /// The files in the order of the variants, without those that failed.
    public internal(set) var files: [File]
    /// The reasons why further files could not be made, by the index of their variant. Always empty for
    /// `Renderer.files(for:as:)`, which throws the first one.
    package internal(set) var failures: [Int: DrawingError] = [:]

    /// False if the picture lacks something from its source; `warnings` lists it.
    public var isComplete: Bool { !warnings.contains(where: \.code.isDefect) }

    /// The same files with warnings about their request, which were not part of the drawing.
    package func adding(_ more: [DrawingWarning]) -> RenderedFiles {
        var files = self
        files.warnings += more
        return files
    }

    /// The same files, for a request that waited for their drawing.
    package var asDrawn: RenderedFiles {
        var files = self
        files.isCached = false
        return files
    }

    public struct File: Sendable {
        /// Device px of the file, which may be a thumbnail.
        public let size: PixelSize
        /// Device px per CSS px. A thumbnail has the scale of its picture.
        public let scale: Double
        public let byteCount: Int
        /// The number of pages, for a PDF file; nil for a format without pages.
        public let pages: Int?
        /// The digest of the bytes.
        public let content: Digest
        /// The bytes if they are in memory; nil if they have to be read.
        public let dataAtOnce: Data?
        /// The row number of the bytes in the store's database, valid within the transaction that found them; nil if no
        /// file is stored.
        let blob: Int?
        private let bytes: @Sendable () async -> Data?

        init(
            size: PixelSize, scale: Double, byteCount: Int, pages: Int?, content: Digest, dataAtOnce: Data? = nil,
            blob: Int? = nil,
            bytes: @escaping @Sendable () async -> Data?
        ) {
            self.blob = blob
            self.pages = pages
            (self.size, self.scale, self.byteCount, self.content) = (size, scale, byteCount, content)
            self.dataAtOnce = dataAtOnce
            self.bytes = bytes
        }

        /// The bytes; nil if they were evicted meanwhile or are damaged, and then the picture has to be drawn again.
        public func data() async -> Data? { await bytes() }
    }
}
