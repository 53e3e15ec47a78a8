import Foundation
import OffstagePages

extension SourceInfo {
    /// A PDF document.
    init(_ info: DocumentInfo) {
        self.init(values: Self.values(of: info), lines: Self.lines(of: info))
    }

    private static func values(of info: DocumentInfo) -> [String: JSONValue] {
        var values: [String: JSONValue] = [
            "kind": .text("pdf"), "pages": .integer(info.pages.count), "encrypted": .bool(info.isEncrypted),
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
                    return .object(values)
                }),
        ]
        if !info.information.isEmpty { values["information"] = .object(info.information.mapValues { .text($0) }) }
        if let permissions = info.permissions {
            values["permissions"] = .list(permissions.names.map { .text($0) })
        }
        return values
    }

    private static func lines(of info: DocumentInfo) -> [String] {
        var summary = ["PDF", "\(info.pages.count) page\(info.pages.count == 1 ? "" : "s")"]
        let sizes = Set(info.pages.map { "\(points($0.width)) × \(points($0.height)) pt" })
        if sizes.count == 1 { summary += sizes } else { summary.append("\(sizes.count) sizes") }
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
        return lines
            + info.outline.map { item in
                String(repeating: "  ", count: min(item.level, 16)) + item.title
                    + (item.page.map { ", page \($0)" } ?? "")
            }
    }

    private static func points(_ value: Double) -> String { String(format: "%g", (value * 10).rounded() / 10) }
}
