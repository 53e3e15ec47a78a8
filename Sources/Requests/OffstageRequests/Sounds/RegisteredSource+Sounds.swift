import Foundation
import Offstage
import OffstageSound

private let soundExtensions = [
    "mp3", "wav", "wave", "flac", "ogg", "oga", "opus", "aif", "aiff", "aifc", "au", "snd", "w64", "caf", "rf64",
    "m4a", "m4b", "aac", "mka",
]

/// Videos, whose sound is drawn only if they are named explicitly, because a folder of pages and their videos is not a
/// folder of sounds. Also rare sound formats, for which a decoder may be missing. If read as HTML, all of these would
/// be pages of garbage.
private let videoExtensions: Set = [
    "mp4", "m4v", "mov", "mkv", "webm", "3gp", "avi", "flv", "wma", "wmv", "m2ts", "mts", "vob", "ac3", "eac3", "wv",
    "ape", "amr",
    "tta", "mpc", "dts", "voc", "8svx", "sph",
]

extension RegisteredSource {
    /// Sounds. The content of a file decides its kind; the extensions only select the files of a folder.
    package static let sounds = RegisteredSource(
        "sound", title: "Sounds", fileExtensions: soundExtensions, namedExtensions: videoExtensions,
        partExtensions: Set(soundExtensions), readsFiles: true, timeout: SoundLimits().budget.seconds,
        mediaTypes: [
            "audio/mpeg", "audio/mp3", "audio/wav", "audio/x-wav", "audio/vnd.wave", "audio/flac", "audio/x-flac",
            "audio/ogg", "audio/vorbis", "audio/opus", "audio/aiff", "audio/x-aiff", "audio/basic", "audio/x-caf",
            "audio/aac", "audio/mp4", "audio/x-m4a", "audio/webm", "audio/x-matroska", "video/mp4", "video/quicktime",
            "video/webm", "video/x-matroska", "video/mp2t", "audio/ac3", "audio/x-wavpack",
        ].map { MediaType($0) },
        options: SoundOptions.table.declarations(), limits: SoundOptions.limits.declarations(),
        runOptions: ["fresh-workers", "fonts", "progress"],
        parts: DocumentParts(options: SoundParts.options, list: SoundParts.list),
        describe: SoundInspector.info,
        warnings: DrawingWarning.Code.sounds,
        recognizes: { SoundKind(of: $0) != nil || SoundKind.isUndecoded($0) },
        protections: Inspection.protections(of: SoundEngine.self),
        // Decoding takes longer than the start of a worker.
        picturesPerStart: 1,
        settings: { options, limit throws(UsageError) in try SoundSettings(options, limit: limit) },
        engine: { options, workers in
            SoundEngine(workers: workers, jail: options.sandbox.jail, fresh: options.fresh)
        })
}

/// The two pictures of a sound that is being played.
private enum SoundParts {
    static let options: [OptionTable.Option] = [
        .init("pair", help: "Render two pictures of each sound, NAME.unplayed and NAME.played, below --out")
    ].grouped(.appearance)

    /// - Throws: `UsageError`
    static func list(_ document: SourceDocument, _ options: ParsedOptions) throws(UsageError) -> [DocumentPart]? {
        if !options.has("pair") { return nil }
        if options.has("played") { throw UsageError("--played and --pair cannot be combined; use one") }
        return [("unplayed", 0), ("played", 1)].map {
            DocumentPart(suffix: ".\($0.0)", options: ["played": .integer($0.1)])
        }
    }
}
