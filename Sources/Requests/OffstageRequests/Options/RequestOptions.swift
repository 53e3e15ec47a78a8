import Offstage
import OffstageImages
import OffstageWorkers

/// The options that several sources share, each declared once. A source provides the key path of the value in its
/// settings.
enum RequestOptions {
    /// The key path of an option's value.
    typealias Place<Settings, Value> = WritableKeyPath<Settings, Value> & Sendable

    typealias Setter<Settings, Value> = @Sendable (inout Settings, Value) -> Void

    /// The valid sides of a picture, CSS px.
    static let side = 1...32_767

    // One description for all sources, although their values differ: the table of all sources has one entry per name.
    static let widthHelp =
        "Make the picture this wide, in CSS px (HTML is laid out at this width, default 400; fit: as wide as the content; images and pages are scaled; waveforms: default 800)"
    static let heightHelp =
        "Make the picture this high, in CSS px (default: HTML as high as its content, waveforms 120; images and pages are scaled)"
    static let fitHelp =
        "Fill the box of --width and --height: inside, contain, cover or fill (default: HTML cover, all others inside, which never enlarges an image); or fit a page into a box of WxH CSS px"

    static let gravityHelp =
        "With --fit cover, keep this part of an image or page; with --fit contain, align the image or page to this side (default center)"

    static func scale<T>(_ place: Place<T, Double>) -> TypedOption<T> {
        .init("scale", .scale, help: "Render N device px for each CSS px, 0.25 to 3 (default 1)") {
            $0[keyPath: place] = $1
        }
    }

    static func rotation<T>(_ place: Place<T, Rotation>) -> TypedOption<T> {
        .init("rotate", .rotation, help: "Turn a PDF page or an image clockwise by 90, 180 or 270 degrees (default 0)")
        {
            $0[keyPath: place] = $1
        }
    }

    static func edges<T>(_ place: Place<T, Margins>) -> [TypedOption<T>] {
        [
            .init("trim", help: "Cut off edges that show only the top left pixel's colour") {
                $0[keyPath: place].isTrimmed = true
            },
            .init(
                "padding", .integer(0...10_000, "PX"), help: "Add this many CSS px of background around the picture"
            ) { $0[keyPath: place].padding = $1 },
        ]
    }

    static func areas<T>(_ place: Place<T, Bool>) -> TypedOption<T> {
        .init("areas", help: "Report links, elements with an id, and the text, in --json and --results") {
            $0[keyPath: place] = true
        }
    }

    static func strict<T>(_ place: Place<T, Bool>) -> TypedOption<T> {
        .init("strict", help: "Fail if a picture lacks something") { $0[keyPath: place] = true }
    }

    /// The default depends on the source: `RegisteredSource.timeout`.
    static func timeout<T>(_ place: Place<T, Double>) -> TypedOption<T> {
        .init(
            "timeout", .seconds(),
            help: "Wait this long for a document (default: HTML 10, sounds 900, all others 60)"
        ) { $0[keyPath: place] = $1 }
    }

    private static let any = 0...(1 << 50)
    /// At least 1: a limit of 0 would reject every document.
    private static let some = 1...(1 << 50)

    static func maxInputBytes<T>(set: @escaping Setter<T, Int>) -> TypedOption<T> {
        .init(
            "max-input-bytes", .integer(some),
            help: "Reject documents larger than N bytes (default 64 MiB, image files 256 MiB, sounds 8 GiB)",
            set: set)
    }

    static func maxImagePixels<T>(_ place: Place<T, Int>) -> TypedOption<T> {
        .init(
            "max-image-pixels", .integer(any),
            help: "Decode at most N pixels of a document's images, or of an image file (default 500000000)"
        ) { $0[keyPath: place] = $1 }
    }

    static func maxPixels<T>(set: @escaping Setter<T, Int>) -> TypedOption<T> {
        .init(
            "max-pixels", .integer(1...(1 << 30)),
            help:
                "Reject documents whose pictures have more than N pixels (default 1073741824; images, PDF and ink 100000000)",
            set: set)
    }

    static func maxMemory<T>(set: @escaping Setter<T, Int>) -> TypedOption<T> {
        .init(
            "max-memory", .integer(some, "BYTES"),
            help:
                "End a web process that uses more (default 4 GiB or half of the machine's memory), or a worker (default: images 2 GiB, PDF and ink 1 GiB, sounds 512 MiB)",
            set: set)
    }

    /// The limits of a worker. Only the command line has them.
    static func worker<T>(_ place: Place<T, WorkerBudget>) -> [TypedOption<T>] {
        [
            maxInputBytes { $0[keyPath: place].documentBytes = $1 }, maxPixels { $0[keyPath: place].pixels = $1 },
            maxMemory { $0[keyPath: place].memory = $1 },
            .init(
                "max-cpu", .integer(1...86_400, "SECONDS"),
                help: "End a worker that uses more processor time (default 30, sounds 600)"
            ) { $0[keyPath: place].processorSeconds = $1 },
        ]
    }

    /// The options for the position and size of a document's page.
    ///
    /// - Parameter size: the key path of the sides, for pages without `--fit`.
    static func page<T, Request: PageRequest>(
        _ place: Place<T, Request>, size: Place<T, PageSize>
    ) -> [TypedOption<T>] {
        [
            .init("page", .integer(1...PageList.most), help: "Render this page of a document (default 1)") {
                $0[keyPath: place].page = $1
            },
            .init("width", .integer(side, "PX"), help: widthHelp) {
                $0[keyPath: size].width = $1
            },
            .init("height", .integer(side, "PX"), help: heightHelp) {
                $0[keyPath: size].height = $1
            },
            .init("fit", .pageFit, help: fitHelp) {
                switch $1 {
                case .box(let box): $0[keyPath: place].fit = box
                case .word(let fit): $0[keyPath: size].fit = fit
                }
            },
            .init("gravity", .choice, help: gravityHelp) { $0[keyPath: size].gravity = $1 },
            .init("clip", .clipBox, help: "Render only this part of a page's picture, in CSS px") {
                $0[keyPath: place].clip = $1
            },
        ]
    }
}

/// The sides of a page's picture, for pages without a box of `--fit`.
struct PageSize: Sendable {
    /// CSS px.
    var width: Int?
    /// CSS px.
    var height: Int?
    var fit = PictureBox.Fit.inside
    var gravity = ImageGeometry.Gravity.center
    /// The colour around a contained page.
    var background = Color.transparent

    /// The box that a page is fitted into; nil if neither side is given. A missing side does not limit the page.
    var box: FitBox? {
        if width == nil && height == nil { return nil }
        return FitBox(width: width ?? FitBox.longestSide, height: height ?? FitBox.longestSide)
    }

    /// The box that the page's picture fills; nil unless both sides are given: otherwise, the page keeps its
    /// proportions.
    var filled: PictureBox? {
        guard let width, let height, fit != .inside else { return nil }
        var box = PictureBox(width: width, height: height, fit: fit)
        (box.x, box.y) = (Double(gravity.position.x), Double(gravity.position.y))
        box.background = background
        return box
    }

    /// - Throws: `UsageError` for a part of a page together with a box that the whole page fills.
    func check(_ options: ParsedOptions) throws(UsageError) {
        if filled != nil, options.has("clip") {
            throw UsageError("--clip selects a part of a page, but --fit \(fit.rawValue) shows the whole; use one")
        }
    }
}

/// The value of `--fit` for pages.
enum PageFit: Sendable {
    case box(FitBox)
    case word(PictureBox.Fit)
}

extension OptionValue<Rotation> {
    fileprivate static var rotation: Self {
        .text("N", "0, 90, 180 or 270") { Int($0).flatMap { Rotation(rawValue: $0) } }
    }
}

extension OptionValue<Double> {
    /// A device scale factor.
    package static var scale: Self { .number(Settings.scales) }
}

extension OptionValue<PageFit> {
    static var pageFit: Self {
        let words = PictureBox.Fit.allCases.map(\.rawValue)
        let kind =
            words.joined(separator: ", ") + ", or a width and a height in CSS px such as 1024x768, each from 1 to 32767"
        return .text((words + ["WxH"]).joined(separator: "|"), kind) { text in
            if let word = PictureBox.Fit(rawValue: text) { return .word(word) }
            let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
            guard sides.count == 2, let width = sides[0], let height = sides[1],
                RequestOptions.side.contains(width), RequestOptions.side.contains(height)
            else { return nil }
            return .box(FitBox(width: width, height: height))
        }
    }
}

extension OptionValue<ClipBox> {
    static var clipBox: Self {
        .text("X,Y,W,H", "four numbers of CSS px such as 0,100,400,300, the last two more than 0") { text in
            let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
            guard numbers.count == 4, let x = numbers[0], let y = numbers[1], let width = numbers[2],
                let height = numbers[3], [x, y, width, height].allSatisfy({ abs($0) <= 1e6 }), width > 0, height > 0
            else { return nil }
            return ClipBox(x: x, y: y, width: width, height: height)
        }
    }
}
