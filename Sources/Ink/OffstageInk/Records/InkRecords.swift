import COffstageInk
import Foundation
import Offstage

/// Ink as bytes: a worker's answer, which is untrusted, or a journal's content, which may be damaged.
enum InkRecords {
    static let magic = Data("offsink1".utf8)

    /// Encodes a whole document.
    static func data(of ink: Ink) -> Data {
        var data = magic
        var images: Set<UInt64> = []
        for page in ink.pages {
            append(page, to: &data)
            for layer in page.layers {
                append(OFFSTAGE_INK_LAYER, Data((layer.name ?? "").utf8), to: &data)
                for item in layer.items {
                    if let image = item.stroke?.texture?.image, images.insert(image.identity).inserted {
                        append(image, to: &data)
                    }
                    append(item, to: &data)
                }
            }
        }
        return data
    }

    static func append(_ page: InkPage, to data: inout Data) {
        let name: String =
            switch page.background {
            case .paper: ""
            case .document(let file, _), .image(let file): file.name
            }
        append(OFFSTAGE_INK_PAGE, withUnsafeBytes(of: head(of: page)) { Data($0) } + Data(name.utf8), to: &data)
    }

    /// The header of a page, without the name of its background.
    static func head(of page: InkPage) -> offstage_ink_page {
        var head = offstage_ink_page()
        (head.width, head.height) = (page.width, page.height)
        (head.margin, head.spacing) = (page.rulingMargin, page.rulingSpacing)
        (head.first, head.line_width) = (page.rulingStart, page.rulingWidth)
        func set(_ color: InkColor?, _ path: WritableKeyPath<offstage_ink_page, (UInt8, UInt8, UInt8, UInt8)>) {
            if let color { head[keyPath: path] = (color.red, color.green, color.blue, 255) }
        }
        set(page.rulingColors.lines, \.line_color)
        set(page.rulingColors.linesOnDark, \.dark_line_color)
        set(page.rulingColors.accents, \.accent_color)
        set(page.rulingColors.accentsOnDark, \.dark_accent_color)
        func refer(_ file: InkFileReference) {
            head.domain = file.isAttached ? OFFSTAGE_INK_ATTACHED.rawValue : OFFSTAGE_INK_ABSOLUTE.rawValue
        }
        switch page.background {
        case .paper(let color, let ruling):
            head.color = (color.red, color.green, color.blue, color.opacity)
            head.ruling = ruling.number
        case .document(let file, let number):
            head.background = OFFSTAGE_INK_PDF.rawValue
            head.background_page = UInt32(clamping: number)
            refer(file)
        case .image(let file):
            head.background = OFFSTAGE_INK_PIXMAP.rawValue
            refer(file)
        }
        return head
    }

    static func append(_ item: InkItem, to data: inout Data) {
        switch item {
        case .stroke(let stroke): append(stroke, to: &data)
        case .text(let text):
            let color = text.color
            let head = offstage_ink_text_head(
                x: text.x, y: text.y, size: text.size, color: (color.red, color.green, color.blue, color.opacity))
            let bytes = withUnsafeBytes(of: head) { Data($0) } + Data(text.font.utf8) + [0] + Data(text.text.utf8)
            append(OFFSTAGE_INK_TEXT, bytes, to: &data)
        case .image(let image):
            let head = offstage_ink_image_head(
                left: image.left, top: image.top, right: image.right, bottom: image.bottom)
            if let source = image.source {
                let formula = offstage_ink_formula_head(image: head, source_size: UInt32(clamping: source.utf8.count))
                let bytes = withUnsafeBytes(of: formula) { Data($0) } + Data(source.utf8) + image.data
                return append(OFFSTAGE_INK_FORMULA, bytes, to: &data)
            }
            append(OFFSTAGE_INK_IMAGE, withUnsafeBytes(of: head) { Data($0) } + image.data, to: &data)
        }
    }

    /// Appends an image. Appends nothing for a missing one.
    static func append(_ image: InkTextureImage, to data: inout Data) {
        guard image.side > 0 else { return }
        let head = offstage_ink_mask_head(image: image.identity, side: UInt32(image.side), reserved: 0)
        append(OFFSTAGE_INK_MASK, withUnsafeBytes(of: head) { Data($0) } + image.opacities, to: &data)
    }

    static func append(_ stroke: Stroke, to data: inout Data) {
        let hasTilt = stroke.points.contains { $0.tilt != 0 || $0.azimuth != 0 }
        let texture = stroke.texture?.c
        let size =
            MemoryLayout<offstage_ink_stroke_head>.size + stroke.points.count * (hasTilt ? 24 : 16)
            + (texture == nil ? 0 : MemoryLayout<offstage_ink_texture>.size)
        appendHead(OFFSTAGE_INK_STROKE, size, to: &data)
        let head = offstage_ink_stroke_head(
            style: stroke.style,
            flags: (hasTilt ? OFFSTAGE_INK_HAS_TILT.rawValue : 0)
                | (texture == nil ? 0 : OFFSTAGE_INK_HAS_TEXTURE.rawValue),
            count: UInt32(clamping: stroke.points.count))
        withUnsafeBytes(of: head) { data.append(contentsOf: $0) }
        if let texture { withUnsafeBytes(of: texture) { data.append(contentsOf: $0) } }
        if hasTilt {
            stroke.points.withUnsafeBytes { data.append(contentsOf: $0) }
        } else {
            let floats = stroke.points.flatMap { [$0.x, $0.y, $0.pressure, $0.time] }
            floats.withUnsafeBytes { data.append(contentsOf: $0) }
        }
    }

    private static func append(_ kind: offstage_ink_record_kind, _ bytes: Data, to data: inout Data) {
        appendHead(kind, bytes.count, to: &data)
        data.append(bytes)
    }

    private static func appendHead(_ kind: offstage_ink_record_kind, _ size: Int, to data: inout Data) {
        let head = offstage_ink_record(kind: kind.rawValue, size: UInt32(clamping: size))
        withUnsafeBytes(of: head) { data.append(contentsOf: $0) }
    }
}

extension InkRuling {
    private static let all: [(InkRuling, offstage_ink_ruling)] = [
        (.plain, OFFSTAGE_INK_NO_LINES), (.lined, OFFSTAGE_INK_LINED), (.ruled, OFFSTAGE_INK_RULED),
        (.graph, OFFSTAGE_INK_GRAPH), (.dotted, OFFSTAGE_INK_DOTTED), (.isometricGraph, OFFSTAGE_INK_ISOMETRIC_GRAPH),
        (.isometricDotted, OFFSTAGE_INK_ISOMETRIC_DOTTED), (.staves, OFFSTAGE_INK_STAVES),
    ]

    var number: UInt32 { Self.all.first { $0.0 == self }?.1.rawValue ?? 0 }
    init(number: UInt32) { self = Self.all.first { $0.1.rawValue == number }?.0 ?? .plain }
}
