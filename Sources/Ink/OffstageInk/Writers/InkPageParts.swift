import COffstageInk
import Foundation
import Offstage
import OffstageWorkers

/// The parts of a page that the file writers cannot draw themselves.
public struct InkPageParts: Sendable {
    /// The outlines of a text's letters, by the index of the item on its page.
    var letters: [Int: InkLetters] = [:]
    /// Images as pixels, by the index of the item on its page.
    var images: [Int: Pixmap] = [:]

    /// Makes an empty set of parts.
    public init() {}
}

/// The outlines of a text's letters.
struct InkLetters: Sendable {
    var color: InkColor
    /// Closed lines in points of the page, filled together by the nonzero rule.
    var outlines: [[StrokeOutline.Place]] = []

    /// The letters in a worker's answer, by item. Untrusted.
    static func list(_ data: Data) throws(DrawingError) -> [Int: InkLetters] {
        var (reader, list) = (RecordReader(data), [Int: InkLetters]())
        let (start, step) = (MemoryLayout<offstage_ink_letters_head>.size, 12)
        while let record = reader.next() {
            guard record.kind == OFFSTAGE_INK_OUTLINES.rawValue,
                let head = record.bytes.head(offstage_ink_letters_head.self), (record.bytes.count - start) % step == 0
            else { throw .untrueAnswer("the worker sent unreadable glyph outlines") }
            let color = head.color
            var letters = InkLetters(
                color: InkColor(red: color.0, green: color.1, blue: color.2, opacity: color.3))
            record.bytes.withUnsafeBytes { bytes in
                for at in stride(from: start, to: bytes.count, by: step) {
                    let place = StrokeOutline.Place(
                        x: bytes.loadUnaligned(fromByteOffset: at, as: Float.self),
                        y: bytes.loadUnaligned(fromByteOffset: at + 4, as: Float.self))
                    guard place.x.isFinite, place.y.isFinite else { continue }
                    let begins = bytes.loadUnaligned(fromByteOffset: at + 8, as: UInt32.self) != 0
                    if begins || letters.outlines.isEmpty { letters.outlines.append([]) }
                    letters.outlines[letters.outlines.count - 1].append(place)
                }
            }
            list[Int(head.item)] = letters
        }
        guard reader.isAtEnd else { throw .untrueAnswer("the worker sent truncated glyph outlines") }
        return list
    }
}

extension InkEngine {
    /// Draws the parts that file writers cannot draw themselves: the letters of texts as outlines, and images as
    /// pixels.
    ///
    /// - Parameters:
    ///   - ink: the content of the document.
    ///   - document: the file that the ink was read from.
    ///   - page: the only page to draw, from 0. Default nil for all pages.
    ///   - limits: the limits of each job. Default `InkLimits()`.
    /// - Returns: the parts of pages that have any, by page index. An image that cannot be drawn is missing.
    /// - Throws: the errors of a drawing.
    public func parts(
        of ink: Ink, in document: InkDocument, page only: Int? = nil, limits: InkLimits = InkLimits()
    ) async throws(DrawingError) -> [Int: InkPageParts] {
        var parts: [Int: InkPageParts] = [:]
        var trust: [DrawingTrust] = []
        for (index, page) in ink.pages.enumerated() where only == nil || only == index {
            let items = page.layers.flatMap(\.items)
            var found = InkPageParts()
            if items.contains(where: { if case .text = $0 { true } else { false } }) {
                var request = InkDrawing(document, page: index + 1)
                request.limits = limits
                found.letters = try InkLetters.list(try await self.parts(OFFSTAGE_INK_LETTERS, of: request).data)
            }
            for (number, item) in items.enumerated() {
                guard case .image(let image) = item else { continue }
                // 300 pixels per inch, as for print.
                let size = image.size(pixels: 300 / 72, most: limits.budget.pixels)
                found.images[number] = try await backgrounds.draw(image.data, size, limits, &trust)
            }
            if !found.letters.isEmpty || !found.images.isEmpty { parts[index] = found }
        }
        return parts
    }
}
