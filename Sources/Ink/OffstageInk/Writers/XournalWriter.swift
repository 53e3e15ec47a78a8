import Foundation

/// Writes Xournal++'s files.
public struct XournalWriter {
    private var text = TextBytes()
    private var losses: Set<InkLoss> = []
    private let raster = InkRaster()
    private let keepsAttachments: Bool
    /// The images written so far.
    private var images: Set<UInt64> = []

    private init(keepsAttachments: Bool) { self.keepsAttachments = keepsAttachments }

    /// Writes a document as `.xopp`, packed with gzip.
    ///
    /// - Parameters:
    ///   - ink: the document.
    ///   - isPacked: false for plain XML, which Xournal++ can also read. Default true.
    ///   - keepsAttachments: true if the file replaces one whose backgrounds are beside it, and which remain valid.
    ///     Default false: backgrounds in the document, or found by its name, are reported as losses.
    /// - Returns: the file; the same ink gives the same bytes.
    public static func file(_ ink: Ink, isPacked: Bool = true, keepsAttachments: Bool = false) -> InkFileBytes {
        var writer = XournalWriter(keepsAttachments: keepsAttachments)
        writer.write(ink)
        let data = isPacked ? Gzip.packed(writer.text.data) : writer.text.data
        return InkFileBytes(data: data, losses: writer.losses.sorted())
    }

    private mutating func write(_ ink: Ink) {
        text.add("<?xml version=\"1.0\" standalone=\"no\"?>\n<xournal creator=\"Offstage\" fileversion=\"4\">\n")
        text.add("<title>Xournal++ document - see https://xournalpp.github.io/</title>\n")
        var documents: Set<InkFileReference> = []
        for page in ink.pages {
            text.add("<page width=\"")
            text.add(page.width, decimals: 5)
            text.add("\" height=\"")
            text.add(page.height, decimals: 5)
            text.add("\">\n")
            write(page, &documents)
            for layer in page.layers.isEmpty ? [InkLayer()] : page.layers { write(layer) }
            text.add("</page>\n")
        }
        text.add("</xournal>\n")
    }

    private mutating func write(_ page: InkPage, _ documents: inout Set<InkFileReference>) {
        func domain(_ file: InkFileReference) -> String { file.isAttached ? "attach" : "absolute" }
        switch page.background {
        case .paper(let color, let ruling):
            text.add("<background type=\"solid\" color=\"")
            text.add(color, hasOpacity: true)
            text.add("\" style=\"\(ruling.xournalName)\"")
            write(config: page)
            text.add("/>\n")
        case .document(let file, let number):
            text.add("<background type=\"pdf\"")
            // Only the first page names the file.
            if documents.isEmpty {
                text.add(" domain=\"\(domain(file))\" filename=\"")
                text.add(escaped: file.name)
                text.add("\"")
            } else if !documents.contains(file) {
                losses.insert(.backgrounds)
            }
            documents.insert(file)
            if file.isAttached, !keepsAttachments { losses.insert(.attachments) }
            text.add(" pageno=\"\(number)\"/>\n")
        case .image(let file):
            text.add("<background type=\"pixmap\" domain=\"\(domain(file))\" filename=\"")
            text.add(escaped: file.name)
            text.add("\"/>\n")
            if file.isAttached, !keepsAttachments { losses.insert(.attachments) }
        }
    }

    private mutating func write(config page: InkPage) {
        if page.rulingStart > 0 { losses.insert(.ruling) }
        let values = [
            ("m1", page.rulingMargin), ("rm", page.rulingMargin > 0 ? 1 : 0), ("r1", page.rulingSpacing),
            ("lw", page.rulingWidth),
        ]
        let (own, none) = (page.rulingColors, InkColor?.none)
        let colors = [
            ("f1", own.lines), ("af1", own.linesOnDark), ("f2", own.accents), ("af2", own.accentsOnDark),
        ]
        var separator = " config=\""
        for (name, value) in values where value > 0 {
            text.add("\(separator)\(name)=")
            text.add(value)
            separator = ","
        }
        for (name, color) in colors where color != none {
            text.add("\(separator)\(name)=")
            if let color { text.add(digitsOf: color) }
            separator = ","
        }
        if separator == "," { text.add("\"") }
    }

    private mutating func write(_ layer: InkLayer) {
        text.add("<layer")
        if let name = layer.name {
            text.add(" name=\"")
            text.add(escaped: name)
            text.add("\"")
        }
        text.add(">\n")
        for item in layer.items {
            switch item {
            case .stroke(let stroke): write(stroke)
            case .text(let content): write(content)
            case .image(let image): write(image)
            }
        }
        text.add("</layer>\n")
    }

    private mutating func write(_ stroke: Stroke) {
        guard !stroke.points.isEmpty else { return }
        let tool =
            switch stroke.tool {
            case .highlighter: "highlighter"
            case .whiteout: "eraser"
            case .pen, .marker, .pencil: "pen"
            }
        if stroke.tool == .pencil { losses.insert(.pencil) }
        if stroke.texture != nil { losses.insert(.textures) }
        if stroke.color.opacity < 255, tool == "pen" { losses.insert(.opacity) }
        // A highlighter's line is as opaque as its fill.
        let usual = stroke.fill > 0 ? stroke.fill : 120
        if tool == "highlighter", stroke.color.opacity != usual { losses.insert(.highlighterOpacity) }
        if stroke.points.contains(where: { $0.tilt != 0 || $0.azimuth != 0 || $0.time != 0 }) { losses.insert(.tilt) }
        text.add("<stroke tool=\"\(tool)\" color=\"")
        // Xournal++ writes this opacity, but draws all highlighters with the same opacity.
        var color = stroke.color
        if tool == "highlighter", stroke.fill == 0, color.opacity == usual { color.opacity = 0x7F }
        text.add(color, hasOpacity: true)
        text.add("\" width=\"")
        text.add(stroke.width, decimals: 4)
        let (places, widths) = line(of: stroke)
        for width in widths {
            text.add(UInt8(ascii: " "))
            text.add(width, decimals: 4)
        }
        text.add("\" capStyle=\"\(stroke.cap.rawValue)\"")
        if stroke.fill > 0 { text.add(" fill=\"\(stroke.fill)\"") }
        if !stroke.dash.isEmpty {
            text.add(" style=\"cust:")
            for length in stroke.dash {
                text.add(UInt8(ascii: " "))
                text.add(length)
            }
            text.add("\"")
        }
        if let texture = stroke.texture { write(texture) }
        text.add(">")
        for (index, place) in places.enumerated() {
            if index > 0 { text.add(UInt8(ascii: " ")) }
            text.add(place.x, decimals: 4)
            text.add(UInt8(ascii: " "))
            text.add(place.y, decimals: 4)
        }
        text.add("</stroke>\n")
    }

    /// Writes attributes that Offstage reads and Xournal++ ignores.
    private mutating func write(_ texture: InkTexture) {
        text.add(" texture=\"\(texture.text)\"")
        guard let image = texture.image, image.side > 0, images.insert(image.identity).inserted else { return }
        text.add(" textureImage=\"\(image.text)\"")
    }

    /// The positions, and the widths between them. The widths are empty if the stroke is equally wide everywhere.
    private mutating func line(of stroke: Stroke) -> (places: [(x: Float, y: Float)], widths: [Float]) {
        let points = stroke.points
        // A dot has two equal points.
        if points.count == 1 {
            let width = stroke.width * (stroke.dynamics.widthByPressure > 0 ? points[0].pressure : 1)
            return ([(points[0].x, points[0].y), (points[0].x, points[0].y)], width == stroke.width ? [] : [width])
        }
        var plain = InkDynamics()
        plain.widthByPressure = stroke.dynamics.widthByPressure
        let isPlain =
            stroke.smoothing == 0 && stroke.taperStart == 0 && stroke.taperEnd == 0 && stroke.dynamics == plain
            && stroke.tool != .pencil
        if isPlain {
            let share = plain.widthByPressure
            let widths = points.dropLast().map { stroke.width * (1 - share + share * $0.pressure) }
            return (points.map { ($0.x, $0.y) }, share > 0 ? widths : [])
        }
        losses.insert(.curves)
        // A 40th of a millimetre, which is invisible.
        let curve = raster.curve(of: stroke, scale: 2).simplified(tolerance: 0.03)
        let widths = curve.radii.dropLast().map { 2 * $0 }
        return (curve.points.map { ($0.x, $0.y) }, widths.contains { abs($0 - stroke.width) > 0.001 } ? widths : [])
    }

    private mutating func write(_ content: InkText) {
        text.add("<text font=\"")
        text.add(escaped: content.font)
        text.add("\" size=\"")
        text.add(content.size)
        text.add("\" x=\"")
        text.add(content.x, decimals: 4)
        text.add("\" y=\"")
        text.add(content.y, decimals: 4)
        text.add("\" color=\"")
        text.add(content.color, hasOpacity: true)
        text.add("\">")
        text.add(escaped: content.text)
        text.add("</text>\n")
    }

    private mutating func write(_ image: InkImage) {
        // Xournal++ stores formulas as PDF documents, with their sources.
        let isFormula = image.source != nil || image.mediaType == "application/pdf"
        if isFormula {
            text.add("<teximage text=\"")
            text.add(escaped: image.source ?? "")
            text.add("\"")
        } else {
            text.add("<image")
        }
        for (name, value) in [
            ("left", image.left), ("top", image.top), ("right", image.right), ("bottom", image.bottom),
        ] {
            text.add(" \(name)=\"")
            text.add(value, decimals: 4)
            text.add("\"")
        }
        text.add(">\(image.data.base64EncodedString())\(isFormula ? "</teximage>" : "</image>")\n")
    }
}

extension InkRuling {
    fileprivate var xournalName: String {
        switch self {
        case .plain, .lined, .ruled, .graph, .dotted, .staves: rawValue
        case .isometricGraph: "isograph"
        case .isometricDotted: "isodotted"
        }
    }
}
