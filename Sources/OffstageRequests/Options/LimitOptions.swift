import Foundation
import Offstage
import OffstageWebKit

/// The options that limit a snippet and the whole run. Only the command line has them: a row can be untrusted, so it
/// cannot raise them.
package struct LimitOptions: Sendable {
    package static let table: [OptionTable.Option] = [
        .init(
            "grace", value: "SECONDS",
            help: "Wait this long after --timeout before the engine counts as hung (default 5)"),
        .init("run-timeout", value: "SECONDS", help: "Fail what is not finished after this time (default: no limit)"),
        .init("max-input-bytes", value: "N", help: "Reject documents larger than N bytes (default 64 MiB)"),
        .init("max-elements", value: "N", help: "Reject documents with more than N elements (default 500000)"),
        .init("max-resources", value: "N", help: "Load at most N files for a document (default 1000)"),
        .init("max-resource-bytes", value: "N", help: "Load at most N bytes of files for a document (default 256 MiB)"),
        .init(
            "max-image-pixels", value: "N", help: "Decode at most N pixels of a document's images (default 500000000)"),
        .init("max-side", value: "PX", help: "Reject pictures with a longer side, in device px (default 1000000)"),
        .init(
            "max-pixels", value: "N",
            help: "Reject documents whose pictures have more than N pixels (default 1073741824)"),
        .init(
            "max-memory", value: "BYTES",
            help: "End a web process that uses more (default 4 GiB or half of the machine's memory)"),
    ].grouped(.limits)

    package let snippet: SnippetLimits

    package init(_ options: ParsedOptions) throws(UsageError) {
        let any = 0...(1 << 50)
        var limits = SnippetLimits()
        limits.grace = try options.positive("grace", upTo: 86_400) ?? limits.grace
        limits.inputBytes = try options.integer("max-input-bytes", in: any) ?? limits.inputBytes
        limits.elements = try options.integer("max-elements", in: any) ?? limits.elements
        limits.resources = try options.integer("max-resources", in: any) ?? limits.resources
        limits.resourceBytes = try options.integer("max-resource-bytes", in: any) ?? limits.resourceBytes
        limits.imagePixels = try options.integer("max-image-pixels", in: any) ?? limits.imagePixels
        limits.pictureSide = try options.integer("max-side", in: 1...1_000_000) ?? limits.pictureSide
        limits.picturePixels = try options.integer("max-pixels", in: 1...(1 << 30)) ?? limits.picturePixels
        limits.memory = try options.integer("max-memory", in: any) ?? limits.memory
        snippet = limits
    }

    /// The time limit of the whole run, seconds; nil for none.
    package static func runTimeout(_ options: ParsedOptions) throws(UsageError) -> Double? {
        try options.positive("run-timeout", upTo: 31_536_000)
    }
}
