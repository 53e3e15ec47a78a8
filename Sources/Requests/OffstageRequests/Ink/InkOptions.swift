import Foundation
import Offstage
import OffstageInk

/// The options of ink. Options shared with PDF pages have the same meaning.
enum InkOptions {
    /// The options that rows may have, too.
    static let table = size + appearance
    static let all = table + limits

    private static let size: [TypedOption<InkSettings>] =
        (RequestOptions.page(\.drawing, size: \.size) + [RequestOptions.scale(\.drawing.scale)]
        + RequestOptions.edges(\.drawing.margins)).grouped(.size)

    private static let appearance: [TypedOption<InkSettings>] =
        [
            .init("background", .color, help: "Put this CSS colour around a page with --fit contain") {
                $0.size.background = $1
            },
            .init(
                "variant", .contents,
                help: "Render ink pages without the ink, with it (default), as a thumbnail, or the ink alone"
            ) { $0.contents = $1 },
        ].grouped(.appearance)
        + [
            RequestOptions.timeout(\.drawing.limits.budget.seconds),
            RequestOptions.strict(\.drawing.requiresComplete),
        ].grouped(.loading)

    /// The options that limit a document. Only the command line has them.
    static let limits: [TypedOption<InkSettings>] =
        (RequestOptions.worker(\.drawing.limits.budget) + [
            .init(
                "max-points", .integer(1...(1 << 50)), help: "Reject ink of more than N points (default 20000000)"
            ) { $0.drawing.limits.points = $1 }
        ]).grouped(.limits)
}

extension OptionValue<[InkContent]> {
    /// Only the command line accepts several values, and makes a picture for each.
    fileprivate static var contents: Self {
        Self("plain|annotated|thumbnail|ink") { options, name throws(UsageError) in try options.choices(name) }
    }
}
