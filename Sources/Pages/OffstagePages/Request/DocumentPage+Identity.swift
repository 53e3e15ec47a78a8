import Foundation
import Offstage
import OffstageWorkers

extension DocumentPage {
    /// Equal for requests that need the same drawing, regardless of the variant and the size of a thumbnail.
    struct Place: Hashable, Sendable {
        let document: Digest
        let password: [UInt8]?
        let page: Int
        let fit: FitBox?
        let box: PageBox
        let rotation: Rotation
        let clip: ClipBox?
        let scale: Double
        let keepsContent: Bool
        let isTransparent: Bool
        let annotations: Digest?
        let layers: [UInt8]
    }

    /// The annotations to add in the drawing; nil for none.
    var additions: PageAnnotations? {
        guard variant != .plain, let annotations, !annotations.wire.isEmpty else { return nil }
        return annotations
    }

    var place: Place {
        Place(
            document: document.digest, password: password.map { Array($0.utf8) }, page: page, fit: fit, box: box,
            rotation: rotation, clip: clip, scale: scale, keepsContent: keepsContent,
            isTransparent: isTransparent, annotations: additions?.digest,
            layers: layers.wire)
    }

    /// Equal for requests with the same page, treatment and limits.
    public struct CoalescingKey: Hashable, Sendable {
        let place: Place
        let variant: PageVariant
        let thumbnail: FitBox
        let margins: Margins
        let requiresComplete: Bool
        let budget: WorkerBudget
    }

    public var coalescingKey: CoalescingKey? {
        CoalescingKey(
            place: place, variant: variant, thumbnail: thumbnail, margins: margins, requiresComplete: requiresComplete,
            budget: budget)
    }

    /// Identifies everything that decides the pixels.
    ///
    /// - Parameter renderer: the library and the fonts.
    func fingerprint(renderer: Digest) -> Fingerprint {
        var builder = Fingerprint.Builder()
        builder.add("engine", "pages 4")
        builder.add("library and fonts", renderer)
        builder.add("document", secret)
        builder.add("page", "\(page)")
        builder.add("box", "\(box.rawValue) \(rotation.rawValue)")
        addGeometry(to: &builder)
        builder.add("variant", variant.rawValue + (variant == .thumbnail ? thumbnailText : ""))
        builder.add(margins)
        if isTransparent { builder.add("paper", "none") }
        if keepsContent { builder.add("areas", "2") }
        if !layers.isEmpty { builder.add("layers", Digest(of: Data(layers.wire))) }
        if let additions { builder.add("annotations", additions.digest) }
        return builder.build()
    }

    /// Identifies the document with its password: a picture must not be returned to a caller who has only one of them.
    var secret: Digest {
        guard let password, !password.isEmpty else { return document.digest }
        var builder = Fingerprint.Builder()
        builder.add("document", document.digest)
        builder.add("password", password)
        return builder.build().digest
    }

    /// Identifies a worker's open document: its bytes, the password and the layers.
    var opened: Digest {
        if layers.isEmpty { return secret }
        var builder = Fingerprint.Builder()
        builder.add("document", secret)
        builder.add("layers", Digest(of: Data(layers.wire)))
        return builder.build().digest
    }
}
