import COffstageWire
import Foundation
import Offstage
import OffstageWorkers

/// Image files as a kind of source for one of the two worker programs.
struct ImageSource: WorkerSource {
    let program: WorkerProgram

    static let common = ImageSource(program: WorkerProgram("offstage-image"))
    static let rare = ImageSource(program: WorkerProgram("offstage-image-more"))

    func job(for file: ImageFile) throws(DrawingError) -> WorkerJob {
        WorkerJob(document: file.data, options: try Self.options(for: file), budget: file.limits.budget)
    }

    /// - Parameter isInfo: true to read only the header.
    static func options(for file: ImageFile, isInfo: Bool = false) throws(DrawingError) -> Data {
        guard let kind = ImageKind(of: file.data) else { throw file.data.isEmpty ? .empty : ImageProblem.unknownKind }
        let geometry = file.geometry
        var options = offstage_image_options()
        options.version = UInt32(OFFSTAGE_IMAGE_VERSION)
        options.kind = kind.number
        options.is_info = isInfo ? 1 : 0
        options.frame = UInt32(clamping: max(1, file.frame))
        options.fit =
            switch geometry.fit {
            case .inside: OFFSTAGE_IMAGE_INSIDE.rawValue
            case .contain: OFFSTAGE_IMAGE_CONTAIN.rawValue
            case .cover: OFFSTAGE_IMAGE_COVER.rawValue
            case .fill: OFFSTAGE_IMAGE_FILL.rawValue
            }
        options.ignores_orientation = geometry.isUpright ? 0 : 1
        options.turns = UInt32(geometry.rotation.rawValue / 90)
        options.flip =
            switch geometry.flip {
            case .horizontal: 1
            case .vertical: 2
            case nil: 0
            }
        options.width = geometry.devicePixels(geometry.width)
        options.height = geometry.devicePixels(geometry.height)
        if let crop = geometry.crop {
            guard crop.width > 0, crop.height > 0, crop.x >= 0, crop.y >= 0 else {
                throw .invalidRequest("the part to crop has no area, or begins outside the image; use X,Y,W,H in px")
            }
            options.crop_x = UInt32(clamping: crop.x)
            options.crop_y = UInt32(clamping: crop.y)
            options.crop_width = UInt32(clamping: crop.width)
            options.crop_height = UInt32(clamping: crop.height)
        }
        (options.gravity_x, options.gravity_y) = geometry.gravity.position
        options.background = file.background.premultipliedBytes
        options.source_pixels = UInt64(max(0, file.limits.imagePixels))
        options.scans = UInt64(max(0, file.limits.jpegScans))
        return withUnsafeBytes(of: options) { Data($0) }
    }

    func drawing(from answer: WorkerAnswer, for file: ImageFile) throws(DrawingError) -> Drawing {
        guard let pixmap = answer.pixmap, let facts = ImageFacts(answer.report, kind: ImageKind(of: file.data)) else {
            throw ImageProblem.untrue
        }
        if let limit = file.formatLimit, max(pixmap.size.width, pixmap.size.height) > limit.side {
            throw .tooLargeForFormat(measured: pixmap.size, limit: limit)
        }
        var drawing = Drawing(
            pixmaps: [pixmap], scale: file.scale, background: file.background, warnings: facts.warnings)
        drawing.contents = [PictureContent(facts: facts.all(with: pixmap))]
        return drawing
    }

    func error(for failure: WorkerFailure, of file: ImageFile) -> DrawingError {
        ImageProblem.error(for: failure, of: file)
    }

    func fingerprint(of file: ImageFile) -> Fingerprint? {
        var fingerprint = Fingerprint.Builder()
        fingerprint.add("engine", "image \(OFFSTAGE_IMAGE_VERSION)")
        fingerprint.add("libraries", ImageEngine.libraries)
        fingerprint.add("image", file.digest)
        fingerprint.add("geometry", file.geometry.description)
        fingerprint.add("frame", "\(file.frame)")
        fingerprint.add("background", file.background.description)
        fingerprint.add(file.margins)
        return fingerprint.build()
    }
}

extension Color {
    fileprivate var description: String { "\(red) \(green) \(blue) \(alpha)" }

    /// Blue, green, red and alpha.
    fileprivate var premultipliedBytes: (UInt8, UInt8, UInt8, UInt8) {
        func byte(_ value: Double) -> UInt8 { UInt8((min(1, max(0, value)) * 255).rounded()) }
        return (byte(blue * alpha), byte(green * alpha), byte(red * alpha), byte(alpha))
    }
}
