import COffstageInk
import Foundation

extension InkRecords {
    /// Reads a document.
    ///
    /// - Returns: nil for bytes that are not a document's records.
    static func ink(_ data: Data) -> Ink? {
        var stream = InkRecordStream()
        return stream.append(data) ? stream.finished : nil
    }

    static func page(_ bytes: Data) -> InkPage? {
        guard let head = bytes.head(offstage_ink_page.self), head.width > 0, head.height > 0, head.width <= 1e6,
            head.height <= 1e6
        else { return nil }
        let name = String(decoding: bytes.dropFirst(MemoryLayout<offstage_ink_page>.size), as: UTF8.self)
        let file = InkFileReference(name, isAttached: head.domain == OFFSTAGE_INK_ATTACHED.rawValue)
        let color = head.color
        let background: InkBackground =
            switch head.background {
            case OFFSTAGE_INK_PDF.rawValue: .document(file, page: max(1, Int(head.background_page)))
            case OFFSTAGE_INK_PIXMAP.rawValue: .image(file)
            default:
                .paper(
                    InkColor(red: color.0, green: color.1, blue: color.2, opacity: color.3),
                    InkRuling(number: head.ruling))
            }
        var page = InkPage(width: head.width, height: head.height, background: background, layers: [])
        // Also catches NaN.
        if head.margin >= 0, head.margin <= 1e5 { page.rulingMargin = head.margin }
        if head.spacing >= 0, head.spacing <= 1e5 { page.rulingSpacing = head.spacing }
        if head.first >= 0, head.first <= 1e5 { page.rulingStart = head.first }
        if head.line_width >= 0, head.line_width <= 1e5 { page.rulingWidth = head.line_width }
        func own(_ color: (UInt8, UInt8, UInt8, UInt8)) -> InkColor? {
            color.3 > 0 ? InkColor(red: color.0, green: color.1, blue: color.2) : nil
        }
        page.rulingColors.lines = own(head.line_color)
        page.rulingColors.linesOnDark = own(head.dark_line_color)
        page.rulingColors.accents = own(head.accent_color)
        page.rulingColors.accentsOnDark = own(head.dark_accent_color)
        return page
    }

    /// - Parameter images: the textures' images. Default none: images stay missing.
    static func item(_ record: RecordReader.Record, _ images: InkTextureImages = InkTextureImages()) -> InkItem? {
        let bytes = record.bytes
        switch record.kind {
        case OFFSTAGE_INK_STROKE.rawValue: return stroke(bytes, images).map(InkItem.stroke)
        case OFFSTAGE_INK_TEXT.rawValue:
            guard let head = bytes.head(offstage_ink_text_head.self) else { return nil }
            let rest = bytes.dropFirst(MemoryLayout<offstage_ink_text_head>.size)
            let font = rest.prefix { $0 != 0 }
            let color = head.color
            return .text(
                InkText(
                    text: String(decoding: rest.dropFirst(font.count + 1), as: UTF8.self),
                    font: String(decoding: font, as: UTF8.self), size: head.size, x: head.x, y: head.y,
                    color: InkColor(red: color.0, green: color.1, blue: color.2, opacity: color.3)))
        case OFFSTAGE_INK_IMAGE.rawValue:
            guard let head = bytes.head(offstage_ink_image_head.self) else { return nil }
            return .image(
                InkImage(
                    data: Data(bytes.dropFirst(MemoryLayout<offstage_ink_image_head>.size)), left: head.left,
                    top: head.top, right: head.right, bottom: head.bottom))
        case OFFSTAGE_INK_FORMULA.rawValue:
            guard let head = bytes.head(offstage_ink_formula_head.self) else { return nil }
            let rest = bytes.dropFirst(MemoryLayout<offstage_ink_formula_head>.size)
            guard Int(head.source_size) <= rest.count else { return nil }
            let (source, box) = (rest.prefix(Int(head.source_size)), head.image)
            return .image(
                InkImage(
                    data: Data(rest.dropFirst(source.count)), left: box.left, top: box.top, right: box.right,
                    bottom: box.bottom, source: String(decoding: source, as: UTF8.self)))
        default: return nil
        }
    }

    static func stroke(_ bytes: Data, _ images: InkTextureImages) -> Stroke? {
        guard let head = bytes.head(offstage_ink_stroke_head.self) else { return nil }
        var start = MemoryLayout<offstage_ink_stroke_head>.size
        let step = head.flags & OFFSTAGE_INK_HAS_TILT.rawValue == 0 ? 16 : 24
        var texture: InkTexture?
        if head.flags & OFFSTAGE_INK_HAS_TEXTURE.rawValue != 0 {
            guard let c = Data(bytes.dropFirst(start)).head(offstage_ink_texture.self) else { return nil }
            texture = InkTexture(c, images)
            start += MemoryLayout<offstage_ink_texture>.size
        }
        guard bytes.count - start == Int(head.count) * step else { return nil }
        var stroke = Stroke(head.style)
        stroke.texture = texture
        let count = Int(head.count)
        stroke.points = bytes.withUnsafeBytes { memory in
            [InkPoint](unsafeUninitializedCapacity: count) { points, made in
                for index in 0..<count {
                    func number(_ place: Int) -> Float {
                        memory.loadUnaligned(fromByteOffset: start + index * step + 4 * place, as: Float.self)
                    }
                    var point = InkPoint(x: number(0), y: number(1), pressure: number(2))
                    if step == 16 {
                        point.time = number(3)
                    } else {
                        (point.tilt, point.azimuth, point.time) = (number(3), number(4), number(5))
                    }
                    points.initializeElement(at: index, to: point)
                }
                made = count
            }
        }
        return stroke.hasPlaces ? stroke : nil
    }
}

extension Stroke {
    /// False for a stroke that a file would omit, which would shift all positions after it.
    var canBeStored: Bool { !points.isEmpty && hasPlaces }

    /// False for numbers that the worker never sends. A journal can come from anywhere.
    fileprivate var hasPlaces: Bool {
        let far: Float = 1e6
        let looks = [width, smoothing, taperStart, taperEnd] + dash
        guard looks.allSatisfy({ abs($0) <= far }) else { return false }
        return points.withUnsafeBufferPointer { points in
            points.allSatisfy { point in
                // A sum with NaN is NaN.
                abs(point.x) <= far && abs(point.y) <= far
                    && (0 * point.pressure + 0 * point.tilt + 0 * point.azimuth + 0 * point.time) == 0
            }
        }
    }
}

/// The texture images in records, by number.
struct InkTextureImages: Sendable {
    private var list: [UInt64: InkTextureImage] = [:]

    /// - Returns: the image; a missing image if it is unknown.
    subscript(_ identity: UInt64) -> InkTextureImage { list[identity] ?? InkTextureImage(missing: identity) }

    /// In a fixed order.
    var all: [InkTextureImage] { list.values.sorted { $0.identity < $1.identity } }

    mutating func add(_ image: InkTextureImage) { list[image.identity] = image }

    /// Adds a record's image.
    ///
    /// - Returns: false if the bytes are not an image.
    mutating func add(_ bytes: Data) -> Bool {
        let rest = Data(bytes.dropFirst(MemoryLayout<offstage_ink_mask_head>.size))
        guard let head = bytes.head(offstage_ink_mask_head.self),
            let image = InkTextureImage(rest, side: Int(head.side))
        else { return false }
        list[head.image] = image
        return true
    }
}

extension InkTexture {
    /// - Returns: nil for an unknown shape, and for numbers that are NaN or beyond ±1e9.
    fileprivate init?(_ c: offstage_ink_texture, _ images: InkTextureImages) {
        let numbers = [
            c.phase, c.spacing, c.angle, c.opacity, c.place_jitter, c.angle_jitter, c.size_jitter, c.opacity_jitter,
        ]
        guard numbers.allSatisfy({ abs($0) <= 1e9 }) else { return nil }
        if c.shape == OFFSTAGE_INK_OWN_SHAPE.rawValue {
            self.init(c, .image(images[c.image]))
        } else if let shape = Shape(number: c.shape) {
            self.init(c, shape)
        } else {
            return nil
        }
    }
}

/// Splits bytes into records. Stops at the first damaged one.
struct RecordReader {
    struct Record {
        var kind: UInt32
        var bytes: Data
    }

    private let data: Data
    private(set) var position = 0

    init(_ data: Data) { self.data = data }

    /// The unread bytes.
    var rest: Data { data.suffix(from: data.startIndex + position) }

    var isAtEnd: Bool { position == data.count }

    mutating func next() -> Record? {
        let size = MemoryLayout<offstage_ink_record>.size
        guard data.count - position >= size else { return nil }
        let head = data.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: position, as: offstage_ink_record.self) }
        guard Int(head.size) <= data.count - position - size else { return nil }
        let start = data.startIndex + position + size
        position += size + Int(head.size)
        return Record(kind: head.kind, bytes: Data(data[start..<(start + Int(head.size))]))
    }
}

extension Data {
    /// The structure at the beginning; nil if there are too few bytes.
    func head<Head: BitwiseCopyable>(_ type: Head.Type) -> Head? {
        guard count >= MemoryLayout<Head>.size else { return nil }
        return withUnsafeBytes { $0.loadUnaligned(as: type) }
    }
}
