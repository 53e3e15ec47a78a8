import COffstageInk
import Foundation
import Offstage
import OffstageImages
import OffstagePages
import OffstageWorkers

/// An image of a page that the program `offstage-ink` cannot decode: a formula, which is a PDF document, or a JPEG file. Untrusted.
struct InkForeignImage {
    /// The item's index on its page.
    let item: Int
    let image: InkImage

    /// The images in a worker's answer.
    static func list(_ data: Data) throws(DrawingError) -> [InkForeignImage] {
        var (reader, images) = (RecordReader(data), [InkForeignImage]())
        while let record = reader.next() {
            let start = MemoryLayout<UInt32>.size
            guard record.kind == OFFSTAGE_INK_IMAGE.rawValue, let item = record.bytes.head(UInt32.self),
                case .image(let image)? = InkRecords.item(
                    RecordReader.Record(kind: record.kind, bytes: Data(record.bytes.dropFirst(start))))
            else { throw .untrueAnswer("the worker sent an image that cannot be read") }
            images.append(InkForeignImage(item: Int(item), image: image))
        }
        guard reader.isAtEnd else { throw .untrueAnswer("the worker sent truncated images") }
        return images
    }
}

/// An image of a page that another engine has drawn.
struct InkPicture: Sendable {
    /// The item's index on its page.
    let item: Int
    let pixmap: Pixmap

    /// Encodes it as the worker reads it.
    func append(to data: inout Data) {
        let head = offstage_ink_picture(
            item: UInt32(item), width: UInt32(pixmap.size.width), height: UInt32(pixmap.size.height), reserved: 0)
        withUnsafeBytes(of: head) { data.append(contentsOf: $0) }
        for y in 0..<pixmap.size.height { pixmap.withRow(y) { data.append(contentsOf: $0) } }
    }
}

/// Images of a page that other engines have drawn.
struct InkPictures: Sendable {
    var pictures: [InkPicture] = []
    var trust: [DrawingTrust] = []
}

extension InkEngine {
    /// Draws the images of a page that the worker program cannot decode. An image that cannot be drawn is missing,
    /// which the worker's report shows.
    ///
    /// - Parameter pixels: device px per point of the page.
    func pictures(of request: InkDrawing, pixels: Double) async throws(DrawingError) -> InkPictures {
        let (images, trust) = try await foreignImages(of: request)
        var drawn = InkPictures(trust: [trust])
        // The same formula is often on a page several times.
        var known: [Key: Pixmap?] = [:]
        var left = request.limits.budget.pixels
        for foreign in images {
            let size = foreign.image.size(pixels: pixels, most: left)
            let key = Key(data: foreign.image.data, size: size)
            let pixmap: Pixmap?
            if let same = known[key] {
                pixmap = same
            } else {
                pixmap = try await backgrounds.draw(foreign.image.data, size, request.limits, &drawn.trust)
                known[key] = .some(pixmap)
            }
            guard let pixmap, pixmap.size.width * pixmap.size.height <= left else { continue }
            left -= pixmap.size.width * pixmap.size.height
            drawn.pictures.append(InkPicture(item: foreign.item, pixmap: pixmap))
        }
        return drawn
    }

    private struct Key: Hashable {
        let data: Data
        let size: PixelSize
    }

    private func foreignImages(
        of request: InkDrawing
    ) async throws(DrawingError) -> (images: [InkForeignImage], trust: DrawingTrust) {
        let answer = try await parts(OFFSTAGE_INK_IMAGES, of: request)
        return (try InkForeignImage.list(answer.data), answer.trust)
    }

    /// The records about a page that the worker sends instead of a picture.
    func parts(
        _ kind: offstage_ink_job, of request: InkDrawing
    ) async throws(DrawingError) -> (data: Data, trust: DrawingTrust) {
        var options = offstage_ink_options()
        options.page = UInt32(clamping: request.page - 1)
        let job = try source.job(kind, options, request.document, request.limits)
        let result = try await workers.value(of: job) { answer throws(DrawingError) in
            (data: try answer.bytes(), trust: answer.trust)
        }
        switch result {
        case .success(let parts): return parts
        case .failure(let failure): throw InkFailure.error(for: failure, page: request.page)
        }
    }
}

extension InkImage {
    /// The file's media type, by its first bytes.
    var mediaType: String {
        if data.starts(with: Data("%PDF-".utf8)) { return "application/pdf" }
        return data.starts(with: [0xFF, 0xD8]) ? "image/jpeg" : "image/png"
    }

    /// Device px, at least 1 x 1.
    func size(pixels: Double, most: Int) -> PixelSize {
        // Also catches NaN.
        func side(_ length: Float) -> Int {
            let value = (Double(abs(length)) * pixels).rounded(.up)
            return value >= 1 ? Int(min(value, 16_384)) : 1
        }
        var (width, height) = (side(right - left), side(bottom - top))
        while width * height > max(1, most), width * height > 1 {
            (width, height) = (max(1, width / 2), max(1, height / 2))
        }
        return PixelSize(width: width, height: height)
    }
}

extension InkBackgrounds {
    /// Draws the file of an image on a page, without paper.
    ///
    /// - Returns: nil for a file that cannot be drawn.
    func draw(
        _ data: Data, _ size: PixelSize, _ limits: InkLimits, _ trust: inout [DrawingTrust]
    ) async throws(DrawingError) -> Pixmap? {
        do throws(DrawingError) {
            let drawing: Drawing
            if data.starts(with: Data("%PDF-".utf8)) {
                var page = DocumentPage(PageDocument(data))
                // Twice the pixels, so that it stays sharp if it is not aligned with whole pixels.
                page.fit = FitBox(width: min(2 * size.width, 8_192), height: min(2 * size.height, 8_192))
                page.isTransparent = true
                page.budget = limits.budget
                drawing = try await pages.draw(page)
            } else {
                var image = ImageFile(identifier: "", data: data)
                image.geometry.fit = .fill
                (image.geometry.width, image.geometry.height) = (size.width, size.height)
                drawing = try await images.draw(image)
            }
            trust += drawing.trust
            return drawing.pixmaps.first
        } catch {
            switch error {
            // These errors concern this machine or the whole run, not the image.
            case .unavailable, .cancelled: throw error
            default: return nil
            }
        }
    }
}
