import Offstage
import OffstageRequests

/// The options of sounds.
struct WaveformSettings: SourceSettings {
    private var waveform = Waveform()
    let inputLimit = 64 << 20

    private static let table: [TypedOption<WaveformSettings>] = [
        .init("width", .integer(1...32_767, "PX"), help: "Draw this wide, in CSS px (default 400)") {
            $0.waveform.width = $1
        },
        .init("height", .integer(1...32_767, "PX"), help: "Draw this high, in CSS px (default 60)") {
            $0.waveform.height = $1
        },
        .init("scale", .scale, help: "Render N device px for each CSS px (default 1)") { $0.waveform.scale = $1 },
    ].grouped(.size)

    static let source = RegisteredSource(
        "waveform", fileExtensions: ["wav"], mediaTypes: [.init("audio/wav")], options: table.declarations(),
        warnings: [],
        settings: { options, _ throws(UsageError) in
            var settings = WaveformSettings()
            try table.apply(options, to: &settings)
            return settings
        },
        engine: { _, _ in WaveformEngine() })

    func request(
        for document: SourceDocument, identifier: String
    ) throws(SourceFileError) -> any DrawingRequest {
        var waveform = waveform
        waveform.identifier = identifier
        waveform.wav = try document.bytes(limit: inputLimit)
        return waveform
    }
}
