import COffstagePages
import Offstage
import OffstageWorkers

extension Drawing {
    /// Makes a drawing of a page from a worker's answer.
    init(_ answer: WorkerAnswer, for request: DocumentPage) throws(DrawingError) {
        guard let pixmap = answer.pixmap, let report = PageReport(answer.report) else {
            throw .untrueAnswer("the worker sent no picture or no report")
        }
        self.init(pixmaps: [pixmap], scale: request.scale, warnings: report.warnings)
        var content = PictureContent()
        if request.keepsContent { content = report.content(size: pixmap.size, scale: request.scale) }
        content.facts = report.facts(ofPage: request.page)
        contents = [content]
        trust = [answer.trust]
    }
}

extension PageReport {
    /// The maximum number of fonts to name.
    private static let mostFonts = 32

    /// Facts for programs, in addition to the picture.
    fileprivate func facts(ofPage page: Int) -> [String: SourceFact] {
        var facts: [String: SourceFact] = [
            "page": .number(Double(page)), "pages": .number(Double(head.pages)),
            "annotated": .flag(has(OFFSTAGE_PAGES_HAS_ANNOTATIONS)),
        ]
        func isLength(_ points: Double) -> Bool { points > 0 && points < 1e9 }
        if isLength(head.width), isLength(head.height) {
            facts["pageWidth"] = .number((head.width * 1000).rounded() / 1000)
            facts["pageHeight"] = .number((head.height * 1000).rounded() / 1000)
        }
        if let record = records(OFFSTAGE_PAGES_PAGE).first(where: { _ in true }) {
            if [90, 180, 270].contains(record.numbers.3) { facts["rotation"] = .number(Double(record.numbers.3)) }
            if let label = record.string, !label.isEmpty { facts["label"] = .text(String(label.prefix(200))) }
        }
        return facts
    }

    fileprivate var warnings: [DrawingWarning] {
        var warnings: [DrawingWarning] = []
        if has(OFFSTAGE_PAGES_REPAIRED) { warnings.append(DrawingWarning(.documentDamaged, "the document")) }
        if has(OFFSTAGE_PAGES_TEXT_MISSING) {
            warnings.append(DrawingWarning(.pageTextMissing, "some characters of annotations"))
        }
        if has(OFFSTAGE_PAGES_TEXT_CUT) {
            warnings.append(DrawingWarning(.pageTextCut, "the end of an annotation's text"))
        }
        var names: Set<String> = []
        for record in records(OFFSTAGE_PAGES_FONT) where names.count < Self.mostFonts {
            guard let name = record.string?.fontName, !StandardFonts.contain(name), names.insert(name).inserted else {
                continue
            }
            warnings.append(DrawingWarning(.pageFontReplaced, name))
        }
        return warnings
    }

    /// - Parameters:
    ///   - size: the picture's size, device px.
    ///   - scale: device px per CSS px.
    fileprivate func content(size: PixelSize, scale: Double) -> PictureContent {
        var areas = headings(size: size, scale: scale)
        for record in records(OFFSTAGE_PAGES_LINK) {
            guard let (written, words) = record.pair, let target = LinkTarget.harmless(written) else { continue }
            let (x, y, width, height) = record.numbers
            areas.append(
                PictureArea(
                    x: Double(x) / scale, y: Double(y) / scale, width: Double(width) / scale,
                    height: Double(height) / scale, target: target,
                    label: words.isEmpty ? nil : words.first(200)))
        }
        let text = records(OFFSTAGE_PAGES_TEXT).first { _ in true }?.string ?? ""
        let scalars = String.UnicodeScalarView(text.unicodeScalars.prefix(PictureContent.mostText))
        let content = PictureContent(areas: areas, text: String(scalars))
        // Cuts off areas outside the picture.
        return content.moved(left: 0, top: 0, size: size, scale: scale)
    }

    /// The areas below the positions that the outline refers to, each down to the next position.
    private func headings(size: PixelSize, scale: Double) -> [PictureArea] {
        let found = records(OFFSTAGE_PAGES_HEADING).compactMap { record -> (top: Double, title: String)? in
            guard let title = record.string, !title.isEmpty else { return nil }
            return (max(0, Double(record.numbers.1)), title)
        }.sorted { $0.top < $1.top }
        return found.enumerated().map { index, heading in
            let end = found[index...].first { $0.top > heading.top }?.top ?? Double(size.height)
            return PictureArea(
                x: 0, y: heading.top / scale, width: Double(size.width) / scale, height: (end - heading.top) / scale,
                identifier: heading.title.first(4096))
        }
    }
}

extension String {
    fileprivate func first(_ count: Int) -> String { String(prefix(count)) }

    /// A font's name without the subset tag, and without characters that could disturb a terminal; nil if nothing is
    /// left.
    fileprivate var fontName: String? {
        var name = prefix(100).filter { $0.isASCII && !$0.isWhitespace && $0 > " " && $0 < "\u{7F}" }
        if let plus = name.firstIndex(of: "+"), name[..<plus].count == 6 { name.removeSubrange(...plus) }
        return name.isEmpty ? nil : name
    }
}
