import Foundation

extension PictureStore {
    /// The pictures of records, decoded; nil if one was evicted or replaced meanwhile.
    func images(
        of records: [PictureRecord], for identifier: String, since start: ContinuousClock.Instant
    ) async -> [RenderedPicture]? {
        let pictures = await pictures(for: records.map(\.key))
        var images: [RenderedPicture] = []
        for record in records {
            guard let picture = pictures[record.key], picture.info == record.info,
                let pixmap = PNGDecoder.decode(picture.data, isOpaque: record.info.isOpaque)
            else { return nil }
            images.append(
                RenderedPicture(
                    identifier: identifier, part: record.key.part, pixmap: pixmap, record.info,
                    duration: start.duration(to: .now)))
        }
        return images
    }
}
