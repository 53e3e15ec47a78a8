import Foundation

extension PictureStore {
    /// The files of records; nil if one was evicted or replaced meanwhile.
    func files(of records: [PictureRecord]) async -> [StoredPicture]? {
        let pictures = await pictures(for: records.map(\.key))
        let found = records.compactMap { record in pictures[record.key].flatMap { $0.info == record.info ? $0 : nil } }
        return found.count == records.count ? found : nil
    }

    /// The undamaged stored files of a variant, latest first.
    ///
    /// - Parameters:
    ///   - end: the number before which to begin; nil to begin with the latest.
    ///   - most: the number of rows to read.
    /// - Returns: the drawings, and the number at which to continue; nil after the oldest one.
    func thumbnails(
        _ variant: String, before end: Int?, most: Int
    ) async -> (drawings: [(identifier: String, files: [StoredPicture])], next: Int?) {
        await read(without: ([], nil)) { (reader) throws(SQLiteError) in
            let rows = try reader.files(of: variant, before: end, most: most)
            // The parts of a drawing are stored together, so one that is cut off by `most` is left out.
            var drawings: [(identifier: String, files: [StoredPicture])] = []
            for (_, group) in Dictionary(grouping: rows, by: \.row.key.identifier) {
                let parts = group.sorted { ($0.row.key.part ?? 0) < ($1.row.key.part ?? 0) }
                let files = parts.compactMap { part in part.row.info.map { StoredPicture(data: part.data, info: $0) } }
                guard files.count == files.first?.info.partCount ?? 1 else { continue }
                drawings.append((parts[0].row.key.identifier, files))
            }
            return (drawings, rows.count == most ? rows.last?.row.id : nil)
        }
    }
}

extension [PictureRecord] {
    /// Decodes the files of the records; nil if one is damaged.
    func decoded(
        _ files: [StoredPicture], for identifier: String, since start: ContinuousClock.Instant
    ) -> [RenderedPicture]? {
        var images: [RenderedPicture] = []
        for (record, file) in zip(self, files) {
            guard let pixmap = file.pixmap else { return nil }
            images.append(
                RenderedPicture(
                    identifier: identifier, part: record.key.part, pixmap: pixmap, file.info,
                    duration: start.duration(to: .now)))
        }
        return images
    }
}

extension StoredPicture {
    /// The pixels; nil if the file is damaged, or in a format that renderers do not use for storing pixels.
    var pixmap: Pixmap? {
        switch info.format {
        case "png": PNGDecoder.decode(data, isOpaque: info.isOpaque)
        case "webp": WebPDecoder.decode(data, size: info.size, isOpaque: info.isOpaque)
        default: nil
        }
    }
}
