import Offstage
import OffstageHTML

/// The options that limit a document. Only the command line has them: a row can be untrusted, so it cannot raise them.
extension HTMLOptions {
    private static let any = 0...(1 << 50)

    package static let limits: [TypedOption<HTMLSettings>] = [
        .init("grace", .seconds(), help: "Wait this long after --timeout before the engine counts as hung (default 5)")
        {
            $0.snippet.limits.grace = $1
        },
        RequestOptions.maxInputBytes { $0.snippet.limits.inputBytes = $1 },
        .init(
            "max-elements", .integer(1...(1 << 50)), help: "Reject documents with more than N elements (default 500000)"
        ) {
            $0.snippet.limits.elements = $1
        },
        .init("max-resources", .integer(any), help: "Load at most N files for a document (default 1000)") {
            $0.snippet.limits.resources = $1
        },
        .init(
            "max-resource-bytes", .integer(any),
            help: "Load at most N bytes of files for a document (default 256 MiB)"
        ) { $0.snippet.limits.resourceBytes = $1 },
        RequestOptions.maxImagePixels(\.snippet.limits.imagePixels),
        .init(
            "max-side", .integer(1...1_000_000, "PX"),
            help: "Reject pictures with a longer side, in device px (default 1000000)"
        ) { $0.snippet.limits.pictureSide = $1 },
        RequestOptions.maxPixels { $0.snippet.limits.picturePixels = $1 },
        RequestOptions.maxMemory { $0.snippet.limits.memory = $1 },
    ].grouped(.limits)
}
