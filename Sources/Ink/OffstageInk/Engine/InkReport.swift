import COffstageInk
import Foundation
import Offstage

/// The report of the worker program about a document. It may come from code that took over the worker, so every number is checked.
struct InkReport {
    let head: offstage_ink_report
    private(set) var pages: [InkReportPage] = []

    /// - Returns: nil for bytes that are not a report.
    init?(_ bytes: Data) {
        let bytes = Data(bytes)
        guard let head = bytes.head(offstage_ink_report.self), head.version == UInt32(OFFSTAGE_INK_VERSION) else {
            return nil
        }
        self.head = head
        var reader = RecordReader(Data(bytes.dropFirst(MemoryLayout<offstage_ink_report>.size)))
        while let record = reader.next() {
            guard record.kind == OFFSTAGE_INK_PAGE.rawValue, let page = InkReportPage(record.bytes) else { return nil }
            pages.append(page)
        }
        guard reader.isAtEnd else { return nil }
    }

    /// Checks a report in a list: its pages must be in the document, and they must describe the same document as the
    /// previous report.
    ///
    /// - Parameters:
    ///   - first: the index of its first page.
    ///   - head: the previous report; nil for the first one.
    func check(from first: Int, after head: offstage_ink_report?) throws(DrawingError) {
        let isSame =
            head.map { ($0.pages, $0.strokes, $0.points) == (self.head.pages, self.head.strokes, self.head.points) }
            ?? true
        guard isSame, pages.count == Int(self.head.records), first + pages.count <= Int(self.head.pages) else {
            throw .untrueAnswer("the worker sent an inconsistent list")
        }
    }

    private func has(_ fact: offstage_ink_fact) -> Bool { head.facts & fact.rawValue != 0 }

    /// True if the page has images in formats that other engines draw.
    var needsImages: Bool { has(OFFSTAGE_INK_NEEDS_IMAGES) }

    var isDamaged: Bool { has(OFFSTAGE_INK_IS_CUT) }

    /// True for a Xournal or Xournal++ file that was read completely. Characters without a font are not lost.
    var isWhollyXournal: Bool {
        head.format == OFFSTAGE_INK_XOURNAL.rawValue && !isDamaged && !has(OFFSTAGE_INK_HAS_BAD_POINTS)
            && !has(OFFSTAGE_INK_HAS_BAD_IMAGE) && !has(OFFSTAGE_INK_HAS_BAD_TEXTURE) && !has(OFFSTAGE_INK_HAS_OTHER)
            && !has(OFFSTAGE_INK_HAS_SOURCES)
    }

    var format: String {
        switch head.format {
        case OFFSTAGE_INK_XOURNAL.rawValue: "Xournal"
        case OFFSTAGE_INK_INKML.rawValue: "InkML"
        case OFFSTAGE_INK_FREEHAND.rawValue: "perfect-freehand"
        case OFFSTAGE_INK_RNOTE.rawValue: "Rnote"
        case OFFSTAGE_INK_EXCALIDRAW.rawValue: "Excalidraw"
        case OFFSTAGE_INK_TLDRAW.rawValue: "tldraw"
        default: "ink"
        }
    }

    /// The warnings of a drawing, and the warning about content other than ink.
    var warningsOfAll: [DrawingWarning] {
        let sources = DrawingWarning(.inkSourcesIgnored, "positions in recordings")
        let hidden = DrawingWarning(
            .inkElementsIgnored, "deleted elements, and traces of a pen hovering above the paper")
        return warnings(isDrawn: true) + (has(OFFSTAGE_INK_HAS_SOURCES) ? [sources] : [])
            + (has(OFFSTAGE_INK_HAS_HIDDEN) ? [hidden] : [])
    }

    /// - Parameter isDrawn: false if the picture has no ink.
    func warnings(isDrawn: Bool) -> [DrawingWarning] {
        var warnings: [DrawingWarning] = []
        if isDamaged { warnings.append(DrawingWarning(.inkDamaged, "the document")) }
        guard isDrawn else { return warnings }
        if has(OFFSTAGE_INK_HAS_BAD_POINTS) { warnings.append(DrawingWarning(.inkPointsRefused, "some points")) }
        if has(OFFSTAGE_INK_HAS_TEXT) { warnings.append(DrawingWarning(.inkTextMissing, "some characters of texts")) }
        if has(OFFSTAGE_INK_HAS_BAD_IMAGE) { warnings.append(DrawingWarning(.inkImageBroken, "an image")) }
        if has(OFFSTAGE_INK_HAS_OTHER) {
            warnings.append(DrawingWarning(.inkElementsIgnored, "elements of an unknown kind"))
        }
        if has(OFFSTAGE_INK_HAS_BAD_TEXTURE) {
            warnings.append(DrawingWarning(.inkImageBroken, "the texture of a brush; its lines are drawn solid"))
        }
        if has(OFFSTAGE_INK_HAS_VECTORS) { warnings.append(DrawingWarning(.inkElementsIgnored, "SVG images")) }
        if has(OFFSTAGE_INK_IS_TURNED) {
            warnings.append(
                DrawingWarning(
                    .inkElementsIgnored,
                    "the rotation of texts, and of images that are not PNG files; they are drawn upright"))
        }
        return warnings
    }
}

/// A page described in a report.
struct InkReportPage {
    let page: InkPage
    let strokes: Int
    let layers: Int

    init?(_ bytes: Data) {
        guard let head = bytes.head(offstage_ink_page.self), let page = InkRecords.page(bytes) else { return nil }
        self.page = page
        strokes = Int(head.strokes)
        layers = Int(head.layers)
    }
}
