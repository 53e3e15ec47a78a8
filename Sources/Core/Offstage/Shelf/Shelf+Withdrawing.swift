/// Removes the pictures of a drawing process that misbehaves: a document's code may have taken it over.
extension Shelf {
    /// Registers the pictures to remove if a process that drew them turns out to misbehave.
    ///
    /// - Parameter keys: the keys of all parts and files of the drawing.
    func withdrawLater(_ image: RenderedPicture, _ keyed: KeyedRequest, _ keys: [PictureKey]) {
        if keys.isEmpty { return }
        for trust in image.trust {
            trust.onLoss { [self, identifier = keyed.identifier, fingerprint = keyed.fingerprint] in
                removeFromMemory(keys, of: fingerprint)
                events.emit(.withdrawn, identifier, request: nil)
                errands.run { await removeStored(keys, of: fingerprint) }
            }
        }
    }

    /// Removes pictures that have just been stored, if the trust was lost meanwhile.
    func removeUntrusted(_ image: RenderedPicture, _ keyed: KeyedRequest, _ keys: [PictureKey]) async {
        guard image.trust.contains(where: \.isLost) else { return }
        removeFromMemory(keys, of: keyed.fingerprint)
        await removeStored(keys, of: keyed.fingerprint)
    }

    /// Newer drawings under the same keys stay.
    private func removeFromMemory(_ keys: [PictureKey], of drawing: Fingerprint) {
        for key in keys {
            if memory?.value(for: key)?.fingerprint == drawing { memory?.remove(key) }
            if thumbnails?.value(for: key)?.fingerprint == drawing { thumbnails?.remove(key) }
            if files?.value(for: key)?.fingerprint == drawing.digest { files?.remove(key) }
        }
    }

    private func removeStored(_ keys: [PictureKey], of drawing: Fingerprint) async {
        if let shared {
            shared.withdraw(keys.map { SharedKeys.picture(shared.machineClass, drawing, $0.variant) })
        }
        await store?.remove(keys, of: drawing)
    }
}
