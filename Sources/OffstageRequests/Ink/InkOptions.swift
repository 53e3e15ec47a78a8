import Foundation
import Offstage
import OffstageInk

/// The options of ink. Those that PDF pages have too mean the same.
enum InkOptions {
    /// The options that rows may have, too.
    static let table = size + appearance
    static let all = table + limits

    private static let side = 1...32_767

    private static let size: [TypedOption<InkSettings>] = [
        .init("page", .integer(1...PageList.most), help: "Render this page of ink (default 1)") {
            $0.drawing.page = $1
        },
        .init("width", .integer(side, "PX"), help: "Make a page of ink this wide, in CSS px") { $0.width = $1 },
        .init("height", .integer(side, "PX"), help: "Make a page of ink this high, in CSS px") { $0.height = $1 },
        .init("fit", .box, help: "Fit a page of ink into this box, in CSS px (default: its own size)") {
            $0.drawing.fit = $1
        },
        .init("clip", .clip, help: "Render only this part of a page of ink, in CSS px") { $0.drawing.clip = $1 },
        .init("scale", .scale, help: "Render N device px for each CSS px, 0.25 to 3 (default 1)") {
            $0.drawing.scale = $1
        },
        .init("trim", help: "Cut off edges that show only the top left pixel's colour") {
            $0.drawing.margins.isTrimmed = true
        },
        .init("padding", .integer(0...10_000, "PX"), help: "Add this many CSS px of background around the picture") {
            $0.drawing.margins.padding = $1
        },
    ].grouped(.size)

    private static let appearance: [TypedOption<InkSettings>] =
        [
            .init("variant", .contents, help: "Render pages of ink without ink, with it (default), small, or ink alone")
            {
                $0.contents = $1
            }
        ].grouped(.appearance)
        + [
            .init("timeout", .seconds(), help: "Wait this long for a document's files (default 10)") {
                $0.drawing.limits.budget.seconds = $1
            },
            .init("strict", help: "Fail if a picture lacks something") { $0.drawing.requiresComplete = true },
        ].grouped(.loading)

    private static let any = 0...(1 << 50)

    /// The options that limit a document. Only the command line has them.
    static let limits: [TypedOption<InkSettings>] = [
        .init("max-input-bytes", .integer(any), help: "Reject documents larger than N bytes (default 64 MiB)") {
            $0.drawing.limits.budget.documentBytes = $1
        },
        .init("max-points", .integer(any), help: "Reject ink of more than N points (default 20000000)") {
            $0.drawing.limits.points = $1
        },
        .init("max-pixels", .integer(1...(1 << 30)), help: "Reject pictures of more than N pixels (default 1073741824)")
        {
            $0.drawing.limits.budget.pixels = $1
        },
        .init("max-memory", .integer(any, "BYTES"), help: "End a worker that uses more (default 2 GiB)") {
            $0.drawing.limits.budget.memory = $1
        },
        .init("max-cpu", .integer(1...86_400, "SECONDS"), help: "End a worker that computes longer (default 30)") {
            $0.drawing.limits.budget.processorSeconds = $1
        },
    ].grouped(.limits)
}

extension OptionValue<InkFit> {
    fileprivate static var box: Self {
        .text("WxH", "a width and a height in CSS px such as 1024x768, each from 1 to 32767") { text in
            let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
            guard sides.count == 2, let width = sides[0], let height = sides[1], (1...32_767).contains(width),
                (1...32_767).contains(height)
            else { return nil }
            return InkFit(width: width, height: height)
        }
    }
}

extension OptionValue<InkClip> {
    fileprivate static var clip: Self {
        .text("X,Y,W,H", "four numbers of CSS px such as 0,100,400,300, the last two more than 0") { text in
            let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
            guard numbers.count == 4, let x = numbers[0], let y = numbers[1], let width = numbers[2],
                let height = numbers[3], [x, y, width, height].allSatisfy({ abs($0) <= 1e6 }), width > 0, height > 0
            else { return nil }
            return InkClip(x: x, y: y, width: width, height: height)
        }
    }
}

extension OptionValue<[InkContent]> {
    /// Several only on the command line, which makes a picture of each.
    fileprivate static var contents: Self {
        Self("plain|annotated|thumbnail|ink") { options, name throws(UsageError) in try options.choices(name) }
    }
}
