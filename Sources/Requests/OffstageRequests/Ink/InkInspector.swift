import Foundation
import Offstage
import OffstageInk

/// Reads facts about ink files, before and during a run.
package enum InkInspector {
    /// Blocks the thread, which must not belong to Swift's thread pool.
    ///
    /// - Returns: the number of pages; nil if the document cannot be read.
    static func count(
        _ document: SourceDocument, _ settings: InkSettings, _ options: ParsedOptions
    ) throws(UsageError) -> Int? {
        guard let document = try? settings.document(document) else { return nil }
        let (engine, limits) = (try Inspection.engine(InkEngine.self, options), settings.drawing.limits)
        return Inspection.wait { try? await engine.info(of: document, limits: limits).pages.count }
    }

    /// The limits on a command line.
    package static func limits(_ options: ParsedOptions) throws(UsageError) -> InkLimits {
        try InkSettings(options).drawing.limits
    }

    static func info(_ document: SourceDocument, _ options: ParsedOptions) async throws -> SourceInfo {
        let settings = try InkSettings(options)
        let info = try await Inspection.engine(InkEngine.self, options).info(
            of: try settings.document(document), limits: settings.drawing.limits)
        return SourceInfo(info)
    }
}

extension SourceInfo {
    /// An ink file.
    init(_ info: InkInfo) {
        var summary = [
            info.format, "\(info.pages.count) page\(info.pages.count == 1 ? "" : "s")",
            "\(info.strokes) stroke\(info.strokes == 1 ? "" : "s")", "\(info.points) points",
        ]
        if info.isDamaged { summary.append("damaged") }
        self.init(
            values: [
                "kind": .text("ink"), "format": .text(info.format), "pages": .integer(info.pages.count),
                "strokes": .integer(info.strokes), "points": .integer(info.points), "damaged": .bool(info.isDamaged),
                "sizes": .list(
                    info.pages.map {
                        .object([
                            "width": .number($0.width), "height": .number($0.height), "layers": .integer($0.layers),
                            "strokes": .integer($0.strokes), "background": .text($0.background),
                        ])
                    }),
            ], lines: [summary.joined(separator: ", ")])
    }
}
