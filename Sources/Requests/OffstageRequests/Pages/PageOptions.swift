import Foundation
import Offstage
import OffstagePages

/// The options of PDF pages.
enum PageOptions {
    /// The options that rows may have, too.
    static let table = size + appearance
    static let all = table + limits

    private static let size: [TypedOption<PageSettings>] =
        (RequestOptions.page(\.page, size: \.size) + [
            .init("box", .choice, help: "Render this box of a PDF page (default crop)") { $0.page.box = $1 },
            RequestOptions.rotation(\.page.rotation),
        ] + [RequestOptions.scale(\.page.scale)] + RequestOptions.edges(\.page.margins)
        + [RequestOptions.areas(\.page.keepsContent)]).grouped(.size)

    private static let appearance: [TypedOption<PageSettings>] =
        [
            .init("background", .color, help: "Put this CSS colour around a page with --fit contain") {
                $0.size.background = $1
            },
            .init(
                "variant", .variants,
                help: "Render PDF pages without annotations, with them (default), or as a thumbnail"
            ) { $0.variants = $1 },
            .init(
                "layers", .layers,
                help: "Show these layers of PDF pages; a minus sign hides a layer, such as Fingerings,-Bowings"
            ) { $0.page.layers = $1 },
            .init(
                "annotations", .annotations,
                help: "Draw the annotations of FILE, or none (default: PDF.annotations.json beside the document)"
            ) { $0.annotations = $1 }.checked(readable),
        ].grouped(.appearance)
        + [
            RequestOptions.timeout(\.page.budget.seconds), RequestOptions.strict(\.page.requiresComplete),
            .init("password-file", .password, help: "Open encrypted PDF documents with the first line of FILE") {
                $0.page.password = $1
            },
        ].grouped(.loading)

    /// A row's file is read with the row.
    private static func readable(_ options: ParsedOptions, _ name: String) throws(UsageError) {
        guard let path = options.string(name), path != "none", access(path, R_OK) != 0 else { return }
        throw UsageError("--\(name): \(FileError("read", path: path, code: errno))")
    }

    /// The options that limit a document. Only the command line has them.
    static let limits: [TypedOption<PageSettings>] = RequestOptions.worker(\.page.budget).grouped(.limits)
}

extension OptionValue<[PageVariant]> {
    /// Only the command line accepts several values, and makes a picture for each.
    fileprivate static var variants: Self {
        Self("plain|annotated|thumbnail") { options, name throws(UsageError) in try options.choices(name) }
    }
}

extension OptionValue<[PageLayer]> {
    fileprivate static var layers: Self {
        .text("NAME[,NAME…]", "names of layers with commas between them, each at most 200 bytes") { text in
            let names = text.split(separator: ",", omittingEmptySubsequences: false)
            let layers = names.map { name in
                name.hasPrefix("-") ? PageLayer(String(name.dropFirst()), isVisible: false) : PageLayer(String(name))
            }
            guard layers.allSatisfy({ (1...200).contains($0.name.utf8.count) && !$0.name.utf8.contains(0) }) else {
                return nil
            }
            return layers
        }
    }
}

extension OptionValue<AnnotationOrigin> {
    fileprivate static var annotations: Self {
        Self("FILE|none") { options, name throws(UsageError) in
            guard let text = options.string(name) else { return nil }
            if text.isEmpty { throw UsageError("--\(name) needs the path of a file, or none; the path is empty") }
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
            // Some editors begin UTF-8 with a byte order mark.
            let start = data.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            let line = data.dropFirst(start).prefix { $0 != 0x0A && $0 != 0x0D }
            guard let text = String(validating: line, as: UTF8.self) else {
                throw UsageError("--\(name): \(path) is not UTF-8; save it as UTF-8")
            }
            return text
        }
    }
}
