import Offstage
import OffstageImages

/// The options of image files. Those that HTML documents have too mean the same, as far as they can.
enum ImageOptions {
    private static let side = 1...32_767

    static let table: [TypedOption<ImageSettings>] = size + appearance + loading

    private static let size: [TypedOption<ImageSettings>] = [
        .init("width", .integer(side, "PX"), help: "Scale an image to this width, in CSS px") {
            $0.file.geometry.width = $1
        },
        .init("height", .integer(side, "PX"), help: "Scale an image to this height, in CSS px") {
            $0.file.geometry.height = $1
        },
        .init(
            "fit", .choice,
            help: "Fit an image into --width and --height; inside never enlarges it (default inside)"
        ) { $0.file.geometry.fit = $1 },
        .init(
            "crop",
            .text(
                "X,Y,W,H", "four whole numbers: the left and upper edge, the width and the height, in px of the image"
            ) { crop($0) },
            help: "Show only this part of an image, in px of the file, before scaling"
        ) { $0.file.geometry.crop = $1 },
        .init("gravity", .choice, help: "Keep this part of an image with --fit cover (default center)") {
            $0.file.geometry.gravity = $1
        },
        .init(
            "frame", .integer(1...1_000_000),
            help: "Draw this frame of an animation, or this page of a TIFF file (default 1)"
        ) { $0.file.frame = $1 },
        .init("scale", .scale, help: "Render N device px for each CSS px, 0.25 to 3 (default 1)") {
            $0.file.geometry.scale = $1
        },
        .init("trim", help: "Cut off edges that show only the top left pixel's colour") {
            $0.file.margins.isTrimmed = true
        },
        .init("padding", .integer(0...10_000, "PX"), help: "Add this many CSS px of background around the picture") {
            $0.file.margins.padding = $1
        },
    ].grouped(.size)

    private static let appearance: [TypedOption<ImageSettings>] = [
        .init("background", .color, help: "Put this CSS colour behind an image's transparent places") {
            $0.file.background = $1
        }
    ].grouped(.appearance)

    private static let loading: [TypedOption<ImageSettings>] = [
        .init("timeout", .seconds(), help: "Wait this long for an image (default 10)") { $0.file.limits.seconds = $1 },
        .init("strict", help: "Fail if a picture lacks something") { $0.file.requiresComplete = true },
    ].grouped(.loading)

    private static let any = 0...(1 << 50)

    static let limits: [TypedOption<ImageSettings>] = [
        .init("max-input-bytes", .integer(any), help: "Reject documents larger than N bytes (default 64 MiB)") {
            $0.file.limits.inputBytes = $1
        },
        .init("max-image-pixels", .integer(any), help: "Reject images of more than N pixels (default 500000000)") {
            $0.file.limits.imagePixels = $1
        },
        .init("max-pixels", .integer(1...(1 << 30)), help: "Reject pictures of more than N pixels (default 1073741824)")
        {
            $0.file.limits.picturePixels = $1
        },
        .init("max-memory", .integer(any, "BYTES"), help: "End a worker that uses more (default 2 GiB)") {
            $0.file.limits.memory = $1
        },
        .init("max-cpu", .integer(1...86_400, "SECONDS"), help: "End a worker that computes longer (default 30)") {
            $0.file.limits.processorSeconds = $1
        },
    ].grouped(.limits)

    private static func crop(_ text: String) -> ImageGeometry.Crop? {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 4, let x = numbers[0], let y = numbers[1], let width = numbers[2],
            let height = numbers[3],
            (0...Int(Int32.max)).contains(x), (0...Int(Int32.max)).contains(y), (1...Int(Int32.max)).contains(width),
            (1...Int(Int32.max)).contains(height)
        else { return nil }
        return ImageGeometry.Crop(x: x, y: y, width: width, height: height)
    }
}
