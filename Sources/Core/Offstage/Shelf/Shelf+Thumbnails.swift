/// Thumbnails for hosts that cannot wait.
extension Shelf {
    /// A thumbnail from memory. The files that the drawing read are not compared.
    func thumbnailAtOnce(for keyed: KeyedRequest, _ box: PixelSize) -> RenderedPicture? {
        guard let image = inMemory(.thumbnail(of: keyed.request, box), keyed)?.first,
            keyed.request.refusal(of: image.warnings) == nil
        else { return nil }
        return image
    }

    /// Loads stored thumbnails into memory, the latest first, until it is nearly full.
    ///
    /// - Parameter isOver: asked between slices; true ends the work.
    func loadThumbnails(_ variant: FileVariant, until isOver: @escaping @Sendable () -> Bool) {
        guard let store, let thumbnails else { return }
        errands.run {
            var next: Int?
            repeat {
                let slice = await store.thumbnails(variant.name, before: next, most: 256)
                for (identifier, files) in slice.drawings {
                    let key = PictureKey(identifier, variant)
                    // A thumbnail that was made meanwhile is newer.
                    if thumbnails.value(for: key) != nil { continue }
                    thumbnails.insert(CachedThumbnails(files[0].info.fingerprint, files), for: key)
                }
                next = slice.next
            } while next != nil && !isOver() && thumbnails.bytes < thumbnails.limits.bytes / 10 * 9
        }
    }
}
