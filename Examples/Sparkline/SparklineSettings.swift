import Offstage
import OffstageRequests

/// The options of numbers.
struct SparklineSettings: SourceSettings {
    private var sparkline = Sparkline()
    let inputLimit = 64 << 20

    private static let table: [TypedOption<SparklineSettings>] = [
        .init("width", .integer(1...32_767, "PX"), help: "Draw this wide, in CSS px (default 400)") {
            $0.sparkline.width = $1
        },
        .init("height", .integer(1...32_767, "PX"), help: "Draw this high, in CSS px (default 60)") {
            $0.sparkline.height = $1
        },
        .init("scale", .scale, help: "Render N device px for each CSS px (default 1)") { $0.sparkline.scale = $1 },
    ].grouped(.size)

    static let source = RegisteredSource(
        "sparkline", fileExtensions: ["csv"], mediaTypes: [.init("text/csv")], options: table.declarations(),
        warnings: [],
        settings: { options, _ throws(UsageError) in
            var settings = SparklineSettings()
            try table.apply(options, to: &settings)
            return settings
        },
        engine: { _, _ in SparklineEngine() })

    func request(
        for document: SourceDocument, identifier: String
    ) throws(SourceFileError) -> any DrawingRequest {
        var sparkline = sparkline
        sparkline.identifier = identifier
        sparkline.csv = try document.bytes(limit: inputLimit)
        return sparkline
    }
}
