import Foundation
import Offstage
import OffstageHTML
import OffstageRequests
import OffstageService

/// A page for reviewing a run: failures first, then incomplete pictures, then the rest. It needs no script, loads a
/// picture when it comes into view, and follows the reader's light or dark scheme.
struct ResultPage {
    private let results: [PictureResult]
    private let folder: [Substring]

    /// The first bytes of the page, from which a search of folders recognizes that it is not an input.
    private static let mark = "<!doctype html><!-- offstage results -->"

    /// True if the file is a page from an earlier run, not a user's document.
    static func isOne(_ path: String?) -> Bool {
        guard let path, let file = try? PlainFile.open(path) else { return false }
        return (try? file.read(upToCount: mark.utf8.count)).flatMap(\.self) == Data(mark.utf8)
    }

    /// - Parameter path: the path of the page, to which links are relative.
    init(_ results: [PictureResult], at path: String) {
        self.results = results
        folder = Self.parts(parentFolder(of: absolutePath(path)))
    }

    var html: String {
        let groups: [(PictureResult.Status, String)] = [
            (.failed, "Failed"), (.incomplete, "Incomplete"), (.drawn, "Drawn"),
        ]
        let sections = groups.compactMap { status, title in
            section(results.filter { $0.status == status }, title, status)
        }
        return """
            \(Self.mark)
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <title>\(title)</title>
            <style>\(String(decoding: PackageResources.results_css, as: UTF8.self))</style></head>
            <body>
            <header><h1>\(title)</h1><p>\(summary)</p>
            <nav>\(filters)</nav></header>
            \(sections.joined(separator: "\n"))
            </body></html>

            """
    }

    private var title: String {
        let failed = results.count { $0.status == .failed }
        return Self.count(results.count - failed, "picture") + (failed > 0 ? ", \(failed) failed" : "")
    }

    private var summary: String {
        let bytes = results.reduce(0) { $0 + ($1.bytes ?? 0) + $1.also.reduce(0) { $0 + $1.bytes } }
        let milliseconds = results.reduce(0) { $0 + ($1.milliseconds ?? 0) }
        return "\(Self.size(bytes)) in files · \(String(format: "%.2f", milliseconds / 1000))\u{A0}s of drawing"
    }

    /// Radio buttons, whose state the style sheet uses.
    private var filters: String {
        let counts = Dictionary(grouping: results, by: \.status).mapValues(\.count)
        let all: [(String, String, Int)] = [
            ("all", "All", results.count), ("failed", "Failed", counts[.failed] ?? 0),
            ("incomplete", "Incomplete", counts[.incomplete] ?? 0), ("drawn", "Drawn", counts[.drawn] ?? 0),
        ]
        return all.map { id, title, count in
            """
            <label><input type="radio" name="show" id="\(id)"\(id == "all" ? " checked" : "")\
            \(count == 0 ? " disabled" : "")>\(title) <b>\(count)</b></label>
            """
        }.joined()
    }

    private func section(_ results: [PictureResult], _ title: String, _ status: PictureResult.Status) -> String? {
        if results.isEmpty { return nil }
        return """
            <section class="\(status.rawValue)"><h2>\(title) <b>\(results.count)</b></h2><div class="grid">
            \(results.map(figure).joined(separator: "\n"))
            </div></section>
            """
    }

    private func figure(_ result: PictureResult) -> String {
        var lines = ["<h3>\(Self.text(result.identifier))</h3>"]
        if let size = result.size {
            var facts = [Self.unbroken(size), result.scale.map { String(format: "@%gx", $0) } ?? ""]
            facts += [
                result.bytes.map(Self.size) ?? "", result.milliseconds.map { String(format: "%.1f\u{A0}ms", $0) } ?? "",
            ]
            lines.append("<p>\(facts.joined(separator: " · "))</p>")
        }
        if result.input.origin != result.identifier {
            lines.append("<p class=\"source\">\(Self.text(result.input.origin))</p>")
        }
        for file in result.also {
            let path = file.path ?? ""
            let name = (path as NSString).lastPathComponent
            lines.append(
                "<p><a href=\"\(link(to: path))\">\(Self.text(name))</a> · \(Self.unbroken(PixelSize(width: file.width, height: file.height))) · "
                    + "\(Self.size(file.bytes))</p>")
        }
        lines += result.failures.sorted { $0.key < $1.key }.map {
            "<p class=\"error\">\(Self.text($0.value.error))</p>"
        }
        if let error = result.error { lines.append("<p class=\"error\">\(Self.text(error))</p>") }
        lines += result.warnings.map { "<p class=\"warning\">\(Self.text($0.description))</p>" }
        return "<figure>\(picture(result))<figcaption>\(lines.joined())</figcaption></figure>"
    }

    private func picture(_ result: PictureResult) -> String {
        guard let path = result.path, let size = result.size else { return "" }
        let url = link(to: path)
        let isShown = ["png", "jpg", "jpeg", "webp", "svg"].contains((path as NSString).pathExtension.lowercased())
        if !isShown {
            return "<a class=\"frame\" href=\"\(url)\">\(Self.text((path as NSString).lastPathComponent))</a>"
        }
        // The size in CSS px at which the picture was drawn.
        let (width, height) = (Double(size.width) / (result.scale ?? 1), Double(size.height) / (result.scale ?? 1))
        return """
            <a class="frame" href="\(url)"><img loading="lazy" decoding="async" alt="" src="\(url)" \
            width="\(Int(width.rounded(.up)))" height="\(Int(height.rounded(.up)))"></a>
            """
    }

    /// A relative URL from the page's folder, escaped for an attribute.
    private func link(to path: String) -> String {
        let target = Self.parts(absolutePath(path))
        let common = zip(folder, target).prefix { $0 == $1 }.count
        let parts = [String](repeating: "..", count: folder.count - common) + target[common...].map(String.init)
        let encoded = parts.map {
            // A semicolon or a colon can have a special meaning.
            $0.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(["-", ".", "_", "~"])) ?? $0
        }
        return Template.escaped(encoded.joined(separator: "/"))
    }

    /// Untrusted text for the page: characters that would reverse the direction of the text after them are shown as
    /// escapes.
    private static func text(_ text: String) -> String { Template.escaped(text.printable) }

    private static func parts(_ path: String) -> [Substring] { path.split(separator: "/") }

    private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    private static func unbroken(_ size: PixelSize) -> String { "\(size)".replacing(" ", with: "\u{A0}") }

    private static func size(_ bytes: Int) -> String {
        switch bytes {
        case ..<1000: "\(bytes)\u{A0}bytes"
        case ..<1_000_000: String(format: "%.1f\u{A0}KB", Double(bytes) / 1000)
        default: String(format: "%.1f\u{A0}MB", Double(bytes) / 1_000_000)
        }
    }
}
