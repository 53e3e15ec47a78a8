import Foundation
import Synchronization

/// The second level, after the store: pictures that other machines have drawn.
extension Shelf {
    /// Puts a drawing's files from the shared shelf into the store.
    ///
    /// - Returns: true if the store has them all now.
    func fetch(_ variants: [FileVariant], _ keyed: KeyedRequest) async -> Bool {
        guard let shared, let store else { return false }
        var pictures: [(key: PictureKey, picture: StoredPicture)] = []
        for variant in variants {
            let key = SharedKeys.picture(shared.machineClass, keyed.fingerprint, variant.name)
            guard let drawing = await current(await shared.drawings(for: key), keyed) else { return false }
            for (index, part) in drawing.parts.enumerated() {
                let number = part.info.partCount == nil ? nil : index + 1
                pictures.append(
                    (
                        PictureKey(keyed.identifier, variant, part: number),
                        StoredPicture(data: part.data, info: part.info)
                    ))
            }
        }
        return await store.store(pictures)
    }

    /// The first drawing whose files are the same on this machine.
    private func current(_ drawings: [SharedDrawing], _ keyed: KeyedRequest) async -> SharedDrawing? {
        for drawing in drawings where await keyed.isCurrent(drawing.dependencies) { return drawing }
        return nil
    }

    /// Gives a drawing's files to the other machines.
    ///
    /// - Parameters:
    ///   - pictures: the pictures of one or several variants, with the parts of each in order.
    ///   - areNew: true if they have just been drawn.
    func share(
        _ pictures: [(key: PictureKey, picture: StoredPicture)], _ keyed: KeyedRequest, areNew: Bool = true
    ) {
        guard let shared, !pictures.isEmpty else { return }
        var drawings: [String: [SharedDrawing.Part]] = [:]
        for (key, picture) in pictures {
            var info = picture.info
            // The other machine's extra data belongs to its own request.
            info.extra = nil
            drawings[key.variant, default: []].append(
                .init(info: info, content: Digest(of: picture.data), data: picture.data))
        }
        shared.keep(
            drawings.map { variant, parts in
                (SharedKeys.picture(shared.machineClass, keyed.fingerprint, variant), SharedDrawing(parts: parts))
            }, areNew: areNew)
    }

    /// The claim of a drawing among all machines; nil without a shared shelf.
    func sharedWork(_ keyed: KeyedRequest, as variants: [FileVariant]) -> SharedWork? {
        guard let shared, store != nil else { return nil }
        let names = variants.map(\.name)
        return SharedWork(
            shelf: shared, key: SharedKeys.drawing(shared.machineClass, keyed.fingerprint, names),
            pictures: names.map { SharedKeys.picture(shared.machineClass, keyed.fingerprint, $0) })
    }
}

/// A drawing that no other machine should make at the same time.
final class SharedWork: Sendable {
    private let shelf: any SharedShelf
    private let key: Digest
    private let pictures: [Digest]
    private let isHeld = Mutex(false)

    init(shelf: any SharedShelf, key: Digest, pictures: [Digest]) {
        (self.shelf, self.key, self.pictures) = (shelf, key, pictures)
    }

    deinit { give() }

    func claim() async -> SharedClaim {
        let answer = await shelf.claim(key, for: pictures)
        if answer == .mine || answer == .stored { isHeld.withLock { $0 = true } }
        return answer
    }

    /// Ends the claim after the pictures that the shelf has received. Has no effect on a claim that is not held.
    func give(_ failure: DrawingError? = nil) {
        let wasHeld = isHeld.withLock { isHeld in
            defer { isHeld = false }
            return isHeld
        }
        if wasHeld { shelf.give(key, failure) }
    }
}
