import Foundation
import Offstage
import OffstageWebKit

/// The options that say how much a snippet may take, and how much the whole run. They are the command line's alone: a row,
/// which may come from elsewhere, cannot raise them.
package struct LimitOptions: Sendable {
    package static let table: [OptionTable.Option] = [
        .init("grace", value: "SECONDS", help: "After --timeout, until the engine counts as hung; default 5"),
        .init("run-timeout", value: "SECONDS", help: "What is not drawn by then has failed; default none"),
        .init("max-input-bytes", value: "N", help: "Of a document; default 67108864"),
        .init("max-elements", value: "N", help: "Of a document; default 500000"),
        .init("max-resources", value: "N", help: "Files that a document may load; default 1000"),
        .init("max-resource-bytes", value: "N", help: "Of these files together; default 268435456"),
        .init("max-image-pixels", value: "N", help: "Of a document's images, decoded; default 500000000"),
        .init("max-side", value: "PX", help: "Device px of a picture's longer side; default 1000000"),
        .init("max-pixels", value: "N", help: "Of a document's pictures; default 1073741824"),
        .init("max-memory", value: "BYTES", help: "Of a web process; default 4 GiB or half of the machine's"),
    ]

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

    /// Seconds for the whole run; nil for as long as it takes.
    package static func runTimeout(_ options: ParsedOptions) throws(UsageError) -> Double? {
        try options.positive("run-timeout", upTo: 31_536_000)
    }
}
