import Foundation
import Offstage
import OffstagePages

/// The options of PDF pages.
enum PageOptions {
    /// The options that rows may have, too.
    static let table = size + appearance
    static let all = table + limits

    private static let side = 1...32_767

    private static let size: [TypedOption<PageSettings>] = [
        .init("page", .integer(1...PageList.most), help: "Render this page of a PDF document (default 1)") {
            $0.page.page = $1
        },
        .init("width", .integer(side, "PX"), help: "Make a PDF page this wide, in CSS px") { $0.width = $1 },
        .init("height", .integer(side, "PX"), help: "Make a PDF page this high, in CSS px") { $0.height = $1 },
        .init(
            "fit", .box, help: "Fit a PDF page into this box, in CSS px (default: its own size, 96 CSS px to the inch)"
        ) { $0.page.fit = $1 },
        .init("box", .choice, help: "Render this box of a PDF page (default crop)") { $0.page.box = $1 },
        .init("rotate", .rotation, help: "Turn a PDF page clockwise by 90, 180 or 270 degrees (default 0)") {
            $0.page.rotation = $1
        },
        .init("clip", .clip, help: "Render only this part of a PDF page's picture, in CSS px") { $0.page.clip = $1 },
        .init("scale", .scale, help: "Render N device px for each CSS px, 0.25 to 3 (default 1)") {
            $0.page.scale = $1
        },
        .init("trim", help: "Cut off edges that show only the top left pixel's colour") {
            $0.page.margins.isTrimmed = true
        },
        .init("padding", .integer(0...10_000, "PX"), help: "Add this many CSS px of background around the picture") {
            $0.page.margins.padding = $1
        },
        .init("areas", help: "Report links, elements with an id, and the text, in --json and --results") {
            $0.page.keepsContent = true
        },
    ].grouped(.size)

    private static let appearance: [TypedOption<PageSettings>] =
        [
            .init("variant", .variants, help: "Render PDF pages without annotations, with them (default) or small") {
                $0.variants = $1
            },
            .init(
                "annotations", .annotations,
                help: "Draw the annotations of FILE, or none (default: PDF.annotations.json beside the document)"
            ) { $0.annotations = $1 },
        ].grouped(.appearance)
        + [
            .init("timeout", .seconds(), help: "Wait this long for a document's files (default 10)") {
                $0.page.budget.seconds = $1
            },
            .init("strict", help: "Fail if a picture lacks something") { $0.page.requiresComplete = true },
            .init("password-file", .password, help: "Open encrypted PDF documents with the first line of FILE") {
                $0.page.password = $1
            },
        ].grouped(.loading)

    private static let any = 0...(1 << 50)

    /// The options that limit a document. Only the command line has them.
    static let limits: [TypedOption<PageSettings>] = [
        .init("max-input-bytes", .integer(any), help: "Reject documents larger than N bytes (default 64 MiB)") {
            $0.page.budget.documentBytes = $1
        },
        .init(
            "max-pixels", .integer(1...(1 << 30)),
            help: "Reject documents whose pictures have more than N pixels (default 1073741824)"
        ) { $0.page.budget.pixels = $1 },
        .init(
            "max-memory", .integer(any, "BYTES"),
            help: "End a web process that uses more (default 4 GiB or half of the machine's memory)"
        ) { $0.page.budget.memory = $1 },
        .init(
            "max-cpu", .integer(1...86_400, "SECONDS"),
            help: "End a worker that takes more processor time for a picture (default 30)"
        ) { $0.page.budget.processorSeconds = $1 },
    ].grouped(.limits)
}

extension OptionValue<PageFit> {
    fileprivate static var box: Self {
        .text("WxH", "a width and a height in CSS px such as 1024x768, each from 1 to 32767") { text in
            let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
            guard sides.count == 2, let width = sides[0], let height = sides[1], (1...32_767).contains(width),
                (1...32_767).contains(height)
            else { return nil }
            return PageFit(width: width, height: height)
        }
    }
}

extension OptionValue<PageRotation> {
    fileprivate static var rotation: Self {
        .text("N", "0, 90, 180 or 270") { Int($0).flatMap { PageRotation(rawValue: $0) } }
    }
}

extension OptionValue<PageClip> {
    fileprivate static var clip: Self {
        .text("X,Y,W,H", "four numbers of CSS px such as 0,100,400,300, the last two more than 0") { text in
            let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
            guard numbers.count == 4, let x = numbers[0], let y = numbers[1], let width = numbers[2],
                let height = numbers[3], [x, y, width, height].allSatisfy({ abs($0) <= 1e6 }), width > 0, height > 0
            else { return nil }
            return PageClip(x: x, y: y, width: width, height: height)
        }
    }
}

extension OptionValue<[PageVariant]> {
    /// Several only on the command line, which makes a picture of each.
    fileprivate static var variants: Self {
        Self("plain|annotated|thumbnail") { options, name throws(UsageError) in try options.choices(name) }
    }
}

extension OptionValue<AnnotationOrigin> {
    fileprivate static var annotations: Self {
        Self("FILE|none") { options, name throws(UsageError) in
            guard let text = options.string(name) else { return nil }
            if text.isEmpty { throw UsageError("--\(name) takes a file or none, not ''") }
            return text == "none" ? AnnotationOrigin.none : .file(text)
        }
    }
}

extension OptionValue<String> {
    /// The first line of a file.
    fileprivate static var password: Self {
        Self("FILE") { options, name throws(UsageError) in
            guard let path = options.string(name) else { return nil }
            let data: Data
            do { data = try PlainFile.open(path).read(upToCount: 4096) ?? Data() } catch let error as FileError {
                throw UsageError("--\(name): \(error)")
            } catch {
                throw UsageError("--\(name): cannot read \(path)")
            }
            let line = data.prefix { $0 != 0x0A && $0 != 0x0D }
            guard let text = String(validating: line, as: UTF8.self) else {
                throw UsageError("--\(name): \(path) is not UTF-8; save it as UTF-8")
            }
            return text
        }
    }
}
