import Foundation

extension ImageStore {
    /// The pictures of records, decoded; nil if one was evicted or replaced meanwhile.
    func images(
        of records: [PictureRecord], for identifier: String, since start: ContinuousClock.Instant
    ) async -> [RenderedImage]? {
        let pictures = await pictures(for: records.map(\.key))
        var images: [RenderedImage] = []
        for record in records {
            guard let picture = pictures[record.key], picture.info == record.info,
                let pixmap = PNGDecoder.decode(picture.data, isOpaque: record.info.isOpaque)
            else { return nil }
            images.append(
                RenderedImage(
                    identifier: identifier, part: record.key.part, pixmap: pixmap, record.info,
                    duration: start.duration(to: .now)))
        }
        return images
    }

    /// A drawing's parts in order, or its one picture, with this fingerprint: under this identifier, or, for a whole picture,
    /// under another one, which saves the drawing. Empty if none is stored.
    func current(_ variant: String, of identifier: String, _ fingerprint: Fingerprint) async -> [PictureRecord] {
        let own = await parts(of: identifier, variant: variant)
        if !own.isEmpty, own.allSatisfy({ $0.info.fingerprint == fingerprint }) { return own }
        return await record(fingerprint: fingerprint, variant: variant).map { [$0] } ?? []
    }
}
