import Offstage

/// A request whose content determines its pixels.
struct ContentRequest: DrawingRequest {
    var identifier: String
    var content = "a"
    var requiresComplete = false
    var partCount = 0
    var width = 20
    var key: String?
    var scale = 1.0 {
        didSet {
            if hasMorePartsAtTwo, scale == 2 { partCount += 1 }
            if scale == 2 { warnings += warningsAtTwo }
        }
    }
    /// The drawing has more parts at scale 2 than at other scales.
    var hasMorePartsAtTwo = false
    var warnings: [DrawingWarning] = []
    /// Additional warnings at scale 2.
    var warningsAtTwo: [DrawingWarning] = []

    var coalescingKey: String? { key }
}

/// Counts its drawings, which all use one file.
struct ContentEngine: Engine {
    var capacity = 1
    /// Drawings wait at this gate, by identifier.
    var gate: Gate?
    let drawings = Tally()
    let started = Journal()
    var file: Digest?
    var usesFile = false

    func draw(_ request: ContentRequest) async throws(DrawingError) -> Drawing {
        drawings.add()
        await started.note(request.identifier)
        await gate?.pass(request.identifier)
        let pixmaps = (0..<max(1, request.partCount)).map { part in
            Self.pixmap(request.content, width: Int(Double(request.width) * request.scale) + part)
        }
        var drawing = Drawing(
            pixmaps: pixmaps, isInParts: request.partCount > 0, scale: 1.5 * request.scale, warnings: request.warnings)
        if usesFile { drawing.dependencies = [Dependency(path: "file", digest: file)] }
        return drawing
    }

    /// The first bytes of the content are visible in each pixel.
    static func pixmap(_ content: String, width: Int) -> Pixmap {
        let bytes = Array((content + "..").utf8.prefix(2))
        return .of(width, 10, isOpaque: false) { x, y in
            let alpha = 255 * (x + 1) / width
            return [bytes[0], bytes[1], UInt8(y)].map { UInt8(Int($0) * alpha / 255) } + [UInt8(alpha)]
        }
    }

    func fingerprint(of request: ContentRequest) -> Fingerprint? {
        var builder = Fingerprint.Builder()
        builder.add("content", request.content)
        if request.scale != 1 { builder.add("scale", "\(request.scale)") }
        return builder.build()
    }

    func digest(of path: String, for request: ContentRequest) async -> Digest? { file }
    func shutDown() async {}
}
