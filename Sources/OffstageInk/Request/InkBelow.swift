import Offstage
import OffstageImages
import OffstagePages

/// A picture of another source under the ink. The ink's page is stretched to its width.
public enum InkBelow: Sendable {
    /// A page of a PDF document. The ink's page has the same number.
    case page(DocumentPage)
    case image(ImageFile)

    /// Equal for equal pictures.
    enum Key: Hashable, Sendable {
        case page(DocumentPage.CoalescingKey?)
        case image(ImageFile.CoalescingKey?)
    }

    var key: Key {
        switch self {
        case .page(let page): .page(page.coalescingKey)
        case .image(let image): .image(image.coalescingKey)
        }
    }

    func scaled(to scale: Double) -> InkBelow {
        switch self {
        case .page(let page): .page(page.scaled(to: scale))
        case .image(let image): .image(image.scaled(to: scale))
        }
    }
}
