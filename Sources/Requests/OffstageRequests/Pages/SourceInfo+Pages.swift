import Foundation
import OffstagePages

extension SourceInfo {
    /// A PDF document.
    ///
    /// - Parameter isBrief: true if the values are not needed.
    init(_ info: DocumentInfo, isBrief: Bool = false) {
        self.init(values: isBrief ? [:] : Self.values(of: info), lines: Self.lines(of: info))
    }

    /// A PDF document with the matches of a search.
    init(_ info: DocumentInfo, matches: [PageMatch]) {
        self.init(info)
        found = matches.count
        let places = matches.map { Place($0, info) }
        values["matches"] = .list(places.map(\.value))
        lines = [lines[0]] + places.map(\.line)
    }

    /// The position of a text, in CSS px of the page's picture at its natural size.
    private struct Place {
        let match: PageMatch
        let boxes: [[Double]]

        init(_ match: PageMatch, _ info: DocumentInfo) {
            self.match = match
            let page = info.pages.indices.contains(match.page - 1) ? info.pages[match.page - 1] : nil
            let (width, height) = ((page?.width ?? 0) * 96 / 72, (page?.height ?? 0) * 96 / 72)
            boxes = match.parts.map { part in
                [part.x * width, part.y * height, part.width * width, part.height * height].map {
                    ($0 * 10).rounded() / 10
                }
            }
        }

        var value: JSONValue {
            .object([
                "page": .integer(match.page), "context": .text(match.context),
                "boxes": .list(
                    boxes.map {
                        .object([
                            "x": .number($0[0]), "y": .number($0[1]), "width": .number($0[2]), "height": .number($0[3]),
                        ])
                    }),
            ])
        }

        var line: String {
            let boxes = boxes.map { $0.map { String(format: "%g", $0) }.joined(separator: ",") }
            return "page \(match.page) at \(boxes.joined(separator: " and ")): \(match.context)"
        }
    }

    private static func values(of info: DocumentInfo) -> [String: JSONValue] {
        var values: [String: JSONValue] = [
            "kind": .text("pdf"), "pages": .integer(info.pageCount), "encrypted": .bool(info.isEncrypted),
            "form": .bool(info.hasForm), "damaged": .bool(info.isDamaged),
            "sizes": .list(
                info.pages.map { page in
                    var size: [String: JSONValue] = ["width": .number(page.width), "height": .number(page.height)]
                    if page.rotation != 0 { size["rotation"] = .integer(page.rotation) }
                    if let label = page.label { size["label"] = .text(label) }
                    return .object(size)
                }),
            "outline": .list(
                info.outline.map { item in
                    var values: [String: JSONValue] = ["title": .text(item.title), "level": .integer(item.level)]
                    if let page = item.page { values["page"] = .integer(page) }
                    if let y = item.y { values["y"] = .number(y) }
                    if let target = item.target { values["target"] = .text(target) }
                    return .object(values)
                }),
        ]
        if !info.information.isEmpty { values["information"] = .object(info.information.mapValues { .text($0) }) }
        if !info.layers.isEmpty {
            values["layers"] = .list(
                info.layers.map { .object(["name": .text($0.name), "visible": .bool($0.isVisible)]) })
        }
        if let permissions = info.permissions {
            values["permissions"] = .list(permissions.names.map { .text($0) })
        }
        return values
    }

    private static func lines(of info: DocumentInfo) -> [String] {
        var summary = ["PDF", "\(info.pageCount) page\(info.pageCount == 1 ? "" : "s")"]
        let different = Set(info.pages.map { [$0.width, $0.height] })
        let sizes = Set(different.map { "\(points($0[0])) × \(points($0[1])) pt" })
        summary.append(
            (sizes.count == 1 ? sizes.first ?? "" : "\(sizes.count) sizes")
                + (info.pages.count < info.pageCount ? " (the first \(info.pages.count) pages)" : ""))
        if info.hasForm { summary.append("with a form") }
        if info.isDamaged { summary.append("damaged") }
        var lines = [summary.joined(separator: ", ")]
        if let permissions = info.permissions {
            let names = permissions.names.isEmpty ? "nothing" : permissions.names.joined(separator: ", ")
            lines.append("encrypted; allows \(names)")
        }
        for key in ["Title", "Author"] {
            if let value = info.information[key] { lines.append("\(key): \(value)") }
        }
        lines += info.layers.map { "layer: \($0.name)\($0.isVisible ? "" : " (hidden)")" }
        return lines
            + info.outline.map { item in
                String(repeating: "  ", count: min(item.level, 16)) + item.title
                    + (item.page.map { ", page \($0)" } ?? item.target.map { ", \($0)" } ?? "")
            }
    }

    private static func points(_ value: Double) -> String { String(format: "%g", (value * 10).rounded() / 10) }
}
