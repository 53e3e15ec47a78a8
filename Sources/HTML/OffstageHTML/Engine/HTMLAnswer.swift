import Foundation
import Offstage
import OffstageVector

/// A drawing as it travels: everything except the pixels, which are in the pictures' memory.
package struct HTMLAnswer: Codable, Sendable {
    /// A picture's pixels in the pictures' memory: rows without gaps.
    package struct Pixels: Codable, Sendable {
        /// The index of its first byte.
        package var start: Int
        package var size: PixelSize
        package var isOpaque: Bool

        /// Bytes.
        package var count: Int { 4 * size.width * size.height }
    }

    /// A picture of lines and letters, as in `VectorImage`.
    package struct Vector: Codable, Sendable {
        package var document: Data
        package var pages: [VectorImage.Page]
        package var background: Color
        package var emoji: [String: [Int: String]]
        package var title: String?
        package var language: String?
        package var pixels: Pixels?
        package var window: VectorImage.Window?
    }

    package enum Part: Codable, Sendable {
        case pixels(Pixels)
        case vector(Vector)
    }

    package private(set) var parts: [Part] = []
    package private(set) var isInParts: Bool
    package private(set) var scale: Double
    package private(set) var background: Color
    package private(set) var contents: [PictureContent]
    package private(set) var dependencies: [Dependency]
    package private(set) var warnings: [DrawingWarning]

    /// - Parameter pixmaps: the pixels that must follow, in this order.
    package init(_ drawing: Drawing, pixmaps: inout [Pixmap]) {
        isInParts = drawing.isInParts
        scale = drawing.scale
        background = drawing.background
        contents = drawing.contents
        dependencies = drawing.dependencies
        warnings = drawing.warnings
        var end = 0
        func add(_ pixmap: Pixmap) -> Pixels {
            pixmaps.append(pixmap)
            let pixels = Pixels(start: end, size: pixmap.size, isOpaque: pixmap.isOpaque)
            end += pixels.count
            return pixels
        }
        for picture in drawing.pictures {
            switch picture {
            case .pixels(let pixmap): parts.append(.pixels(add(pixmap)))
            case .vector(let picture):
                guard let image = picture as? VectorImage else { continue }
                parts.append(
                    .vector(
                        Vector(
                            document: image.document, pages: image.pages, background: image.background,
                            emoji: image.emoji, title: image.title, language: image.language,
                            pixels: image.pixels.map { add($0.pixmap) }, window: image.pixels?.window)))
            }
        }
    }

    /// Puts the drawing together again. The answer is untrusted.
    ///
    /// - Parameter pixmap: gets a picture's pixels; nil if they are not in the pictures' memory.
    /// - Returns: nil for an answer that no drawing can have.
    package func drawing(_ pixmap: (Pixels) -> Pixmap?) -> Drawing? {
        var pictures: [Picture] = []
        for part in parts {
            switch part {
            case .pixels(let pixels):
                guard let pixmap = pixmap(pixels) else { return nil }
                pictures.append(.pixels(pixmap))
            case .vector(let vector):
                guard let image = vector.image(pixmap) else { return nil }
                pictures.append(.vector(image))
            }
        }
        guard !pictures.isEmpty, scale.isFinite, scale > 0 else { return nil }
        guard contents.isEmpty || contents.count == pictures.count else { return nil }
        var drawing = Drawing(
            pictures: pictures, isInParts: isInParts, scale: scale, background: background, warnings: warnings)
        (drawing.contents, drawing.dependencies) = (contents, dependencies)
        return drawing
    }
}

extension HTMLAnswer.Vector {
    fileprivate func image(_ pixmap: (HTMLAnswer.Pixels) -> Pixmap?) -> VectorImage? {
        guard !pages.isEmpty, pages.allSatisfy(\.isPossible) else { return nil }
        var image = VectorImage(document: document, pages: pages, background: background)
        (image.emoji, image.title, image.language) = (emoji, title, language)
        if let pixels, let window {
            guard let pixmap = pixmap(pixels) else { return nil }
            image.pixels = VectorImage.Pixels(pixmap: pixmap, window: window)
        }
        return image
    }
}

extension VectorImage.Page {
    /// False for numbers that no page has, with which encoders cannot compute.
    fileprivate var isPossible: Bool {
        let numbers = [pointsPerPixel, window.x, window.y, window.width, window.height, left, top, width, height]
        let isSmall = numbers.allSatisfy { $0.isFinite && abs($0) <= Double(Int32.max) }
        return isSmall && pointsPerPixel > 0 && (0..<Int(Int32.max)).contains(number)
    }
}
