import Offstage
import OffstageImages

/// The options of image files. Options shared with HTML documents have the same meaning, as far as possible.
enum ImageOptions {
    static let table: [TypedOption<ImageSettings>] = size + appearance + loading

    private static let size: [TypedOption<ImageSettings>] =
        ([
            .init("width", .integer(RequestOptions.side, "PX"), help: RequestOptions.widthHelp) {
                $0.file.geometry.width = $1
            },
            .init("height", .integer(RequestOptions.side, "PX"), help: RequestOptions.heightHelp) {
                $0.file.geometry.height = $1
            },
            .init(
                "fit", .choice, help: RequestOptions.fitHelp
            ) { $0.file.geometry.fit = $1 },
            .init(
                "crop",
                .text(
                    "X,Y,W,H",
                    "four whole numbers: the left and upper edge, the width and the height, in px of the image"
                ) { crop($0) },
                help: "Show only this part of an image, in px of the file, after turning and before scaling"
            ) { $0.file.geometry.crop = $1 },
            .init("gravity", .choice, help: RequestOptions.gravityHelp) {
                $0.file.geometry.gravity = $1
            },
            RequestOptions.rotation(\.file.geometry.rotation),
            .init(
                "flip", .choice,
                help: "Mirror an image: horizontal swaps left and right, vertical swaps top and bottom"
            ) {
                $0.file.geometry.flip = $1
            },
            .init("no-autorotate", help: "Draw an image's pixels as stored, ignoring the orientation in its file") {
                $0.file.geometry.isUpright = false
            },
            .init(
                "frame", .integer(1...1_000_000),
                help: "Draw this frame of an animation, or this page of a TIFF file (default 1)"
            ) { $0.file.frame = $1 },
            RequestOptions.scale(\.file.geometry.scale),
        ] + RequestOptions.edges(\.file.margins)).grouped(.size)

    private static let appearance: [TypedOption<ImageSettings>] = [
        .init("background", .color, help: "Put this CSS colour behind an image's transparent parts") {
            $0.file.background = $1
        }
    ].grouped(.appearance)

    private static let loading: [TypedOption<ImageSettings>] = [
        RequestOptions.timeout(\.file.limits.budget.seconds), RequestOptions.strict(\.file.requiresComplete),
    ].grouped(.loading)

    static let limits: [TypedOption<ImageSettings>] =
        (RequestOptions.worker(\.file.limits.budget) + [
            RequestOptions.maxImagePixels(\.file.limits.imagePixels),
            .init(
                "max-jpeg-scans", .integer(1...1_000_000),
                help: "Reject progressive JPEG files with more than N scans (default 500)"
            ) { $0.file.limits.jpegScans = $1 },
        ])
        .grouped(.limits)

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
