import Foundation
import Offstage
import OffstageSound
import Synchronization

/// The options of sounds: a waveform without its sound.
struct SoundSettings: SourceSettings {
    var waveform = Waveform(identifier: "", sound: Sound(Data()))
    var style = WaveformStyle()
    var scheme = WaveformScheme.light
    var waveColor: WaveformColors.Paint?
    var playedColor: WaveformColors.Paint?
    var clippingColor: Color?
    var background: Color?

    /// - Parameter limit: the largest picture that its files can contain.
    init(_ options: ParsedOptions, limit: FormatLimit?) throws(UsageError) {
        waveform.limits.budget.pixels = 1 << 30
        try SoundOptions.all.apply(options, to: &self)
        if let to = style.to, to <= style.from { throw UsageError("--to must be later than --from") }
        if waveform.peaksPerSecond != nil, options.has("samples-per-pixel") {
            throw UsageError("--samples-per-pixel and --pixels-per-second cannot be combined; use one")
        }
        style.colors = scheme == .dark ? .dark : .light
        if let waveColor { style.colors.unplayed = waveColor }
        if let playedColor { style.colors.played = playedColor }
        if let clippingColor {
            guard style.showsClipping else { throw UsageError("--clipping-color needs --show-clipping") }
            style.colors.clipping = clippingColor
        }
        if let background { style.colors.background = background }
        waveform.formatLimit = limit
        waveform.style = style
    }

    /// The options that affect only pictures.
    private static let ofPictures =
        [
            "waveform", "width", "height", "no-mirror", "align", "rms", "show-clipping", "clipping-color", "amplitude",
            "normalize",
        ]
        + ["played", "marker", "region", "axis", "bar-width", "bar-gap", "bar-radius", "min-bar-height", "line-width"]
        + ["color-scheme", "wave-color", "played-color", "background"]
    /// The options that affect only files of values.
    private static let ofValues = ["samples-per-pixel", "pixels-per-second"]

    func check(_ options: ParsedOptions, for formats: [FileFormat]) throws(UsageError) {
        let values = formats.filter(\.isOfPeaks)
        if values.isEmpty, let name = Self.ofValues.first(where: options.has) {
            throw UsageError("--\(name) has no effect on a picture, only on --format dat and json; leave it out")
        }
        if values.count == formats.count, let name = Self.ofPictures.first(where: options.has) {
            throw UsageError(
                "--\(name) has no effect on the format \(formats[0].name), only on pictures; leave it out")
        }
    }

    var inputLimit: Int { waveform.limits.budget.documentBytes }

    func request(for document: SourceDocument, identifier: String) throws(SourceFileError) -> any DrawingRequest {
        try waveform(for: document, identifier: identifier)
    }

    func waveform(for document: SourceDocument, identifier: String) throws(SourceFileError) -> Waveform {
        var request = waveform
        request.identifier = identifier
        if case .file(let path, nil) = document.content {
            request.sound = try OpenSounds.sound(ofFile: path, limit: inputLimit)
        } else {
            request.sound = Sound(try document.bytes(limit: inputLimit))
            if request.sound.size == 0 { throw SourceFileError(path: document.name, problem: .empty) }
        }
        return request
    }
}

/// The sounds that this process used last, so that the digest of a file is computed only once for all its waveforms.
/// The files' bytes are not kept.
private enum OpenSounds {
    private static let most = 256
    private static let known = Mutex<[(path: String, state: FileState, sound: Sound)]>([])

    static func sound(ofFile path: String, limit: Int) throws(SourceFileError) -> Sound {
        // Take the state before reading the file: if it changes meanwhile, the next request sees another state.
        let state = FileState(path)
        let last = known.withLock { $0.first { $0.path == path && $0.state == state }?.sound }
        if let last, last.size <= limit { return last }
        let sound = try Sound(contentsOf: path, limit: limit)
        guard let state else { return sound }
        known.withLock { known in
            known.removeAll { $0.path == path }
            known.append((path, state, sound))
            if known.count > most { known.removeFirst() }
        }
        return sound
    }
}
