import Offstage
import OffstageSound
import OffstageVector

/// A format that the command line, rows, the pipe, the service and the C library offer. To add one, add it to `all`:
/// help, messages, schemas, `Accept` and the descriptions of the API list all registered formats.
package struct RegisteredFormat: Sendable {
    /// The format with default options.
    package let format: FileFormat
    /// The names of its options.
    let keys: [String]
    let make: @Sendable (FormatOptions) throws(UsageError) -> FileFormat

    package static let all: [RegisteredFormat] = [
        RegisteredFormat(format: .png(), keys: ["level", "palette"]) { options throws(UsageError) in
            var encoder = PNGEncoder()
            if let level = try options.integer("level", in: 0...9) { encoder.level = level }
            encoder.usesPalette = try options.has("palette")
            return .png(encoder)
        },
        RegisteredFormat(format: .jpeg(), keys: ["quality", "subsampling", "background"]) {
            options throws(UsageError) in
            .jpeg(try JPEGEncoder(options))
        },
        RegisteredFormat(format: .webp(), keys: ["quality", "lossless"]) { options throws(UsageError) in
            let quality = try options.integer("quality", in: 0...100)
            if try options.has("lossless"), quality != nil {
                throw UsageError("\(options.title): use either lossless or quality, not both")
            }
            return .webp(WebPEncoder(compression: quality.map { .quality($0) } ?? .lossless))
        },
        RegisteredFormat(format: .raw(), keys: ["bgra", "rgba"]) { options throws(UsageError) in
            let (isBGRA, isRGBA) = (try options.has("bgra"), try options.has("rgba"))
            if isBGRA, isRGBA { throw UsageError("\(options.title): use either bgra or rgba, not both") }
            return .raw(RawEncoder(layout: isRGBA ? .rgba : .bgra))
        },
        RegisteredFormat(format: .pdf(), keys: ["page", "landscape", "margin"]) { options throws(UsageError) in
            .pdf(PDFEncoder(paper: try Paper(options)))
        },
        RegisteredFormat(format: .svg(), keys: []) { _ throws(UsageError) in .svg() },
        RegisteredFormat(format: .dat(), keys: ["bits", "split"]) { options throws(UsageError) in
            .dat(try AudiowaveformOptions(options))
        },
        RegisteredFormat(format: .json(), keys: ["bits", "split", "wavesurfer"]) { options throws(UsageError) in
            let values = try AudiowaveformOptions(options)
            if !(try options.has("wavesurfer")) { return .json(.audiowaveform(values)) }
            if values.bits == .eight {
                throw UsageError("\(options.title): use either wavesurfer or bits, not both")
            }
            return .json(.wavesurfer(splitsChannels: values.splitsChannels))
        },
    ]
}

extension AudiowaveformOptions {
    fileprivate init(_ options: FormatOptions) throws(UsageError) {
        self.init()
        if let number = try options.integer("bits", in: 8...16) {
            guard let bits = Bits(rawValue: number) else { throw options.wrong("bits", "8 or 16", "\(number)") }
            self.bits = bits
        }
        splitsChannels = try options.has("split")
    }
}

extension FileFormat {
    /// All registered formats, each with default options.
    package static let all = RegisteredFormat.all.map(\.format)

    /// The registered format for a file's extension, with default options; nil if no format has it.
    package init?(fileExtension: String) {
        guard let format = Self.all.format(ofExtension: fileExtension) else { return nil }
        self = format
    }
}

extension JPEGEncoder {
    fileprivate init(_ options: FormatOptions) throws(UsageError) {
        self.init()
        if let quality = try options.integer("quality", in: 1...100) { self.quality = quality }
        if let text = try options.text("subsampling") {
            guard let subsampling = Subsampling(rawValue: text) else {
                throw options.wrong("subsampling", Subsampling.allCases.map(\.rawValue).formatted("or"), text)
            }
            self.subsampling = subsampling
        }
        if let text = try options.text("background") {
            guard let color = Color(css: text), color.isOpaque else {
                throw options.wrong("background", "an opaque colour such as white, #1e90ff or rgb(30,144,255)", text)
            }
            background = color
        }
    }
}
