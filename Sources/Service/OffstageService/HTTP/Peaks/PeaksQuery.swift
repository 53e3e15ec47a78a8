import Foundation
import Offstage
import OffstageRequests
import OffstageSound

/// The query of `/v1/peaks`: a part of a sound, a zoom and a format.
struct PeaksQuery: Sendable {
    /// Nil for the peaks under an identifier.
    var file: String?
    /// Seconds.
    var from = 0.0
    var to: Double?
    var zoom = Zoom.stored
    var format: FileFormat

    enum Zoom: Sendable {
        case stored
        case framesPerPeak(Int)
        case peaksPerSecond(Int)
    }

    private static let names = ["file", "format", "from", "pixels-per-second", "samples-per-pixel", "to"]
    private static let formats = [FileFormat.json(), .dat()]

    /// - Throws: 400 for an invalid query, 406 if the client accepts no format of peaks.
    init(_ request: HTTPRequest) throws(Problem) {
        var values: [String: String] = [:]
        for (name, value) in try request.query() {
            try QueryOptions.checkLength(name, value)
            guard Self.names.contains(name) else {
                throw Self.problem(
                    QueryOptions.unknown(
                        name, among: Self.names, otherwise: "peaks take \(Self.names.formatted("and"))"))
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw Self.problem("the query has \(name.quoted) twice; leave one out")
            }
        }
        format = try Self.format(values["format"], accept: request.header("accept"))
        file = values["file"]
        from = try Self.time("from", values) ?? 0
        to = try Self.time("to", values)
        if let to, to <= from { throw Self.problem("\"to\" must be later than \"from\"") }
        let frames = try Self.number("samples-per-pixel", 1...(1 << 24), values)
        let perSecond = try Self.number("pixels-per-second", 1...384_000, values)
        if frames != nil, perSecond != nil {
            throw Self.problem("\"samples-per-pixel\" and \"pixels-per-second\" cannot be combined; use one")
        }
        zoom = frames.map { .framesPerPeak($0) } ?? perSecond.map { .peaksPerSecond($0) } ?? .stored
    }

    /// The part of a sound.
    ///
    /// - Throws: 416 for a part after its end, 400 for a zoom that its peaks do not have.
    func range(of sound: DecodedSound) throws(Problem) -> PeakRange {
        let own = sound.pyramid.peaks.framesPerPeak
        let frames =
            switch zoom {
            case .stored: own
            case .framesPerPeak(let frames): frames
            case .peaksPerSecond(let count):
                Waveform.framesPerPeak(rate: sound.facts.rate, peaksPerSecond: count)
            }
        guard frames >= own else {
            throw Problem(
                400, "zoom-too-fine",
                "each value would represent \(frames) samples, but each stored peak represents \(own); "
                    + "request at least as many samples per value, or POST the sound to /v1/images "
                    + "with format=\(format.name), which decodes it for any zoom")
        }
        let range = sound.pyramid.range(from: from, to: to, framesPerPeak: frames)
        if from >= sound.facts.duration || range.numbers.isEmpty {
            throw Problem(
                416, "no-such-part",
                "the sound is only \(sound.facts.time) long, so this part is empty; use an earlier \"from\"",
                headers: ["Offstage-Values": "*/\(range.total)"])
        }
        return range
    }

    private static func format(_ text: String?, accept: String?) throws(Problem) -> FileFormat {
        guard let text else {
            if let format = Acceptance.format(accept, of: formats) { return format }
            let types = formats.map(\.kind.mediaType).formatted("and")
            throw Problem(
                406, "not-acceptable", "the Accept header accepts none of \(types); change it or name a format")
        }
        do throws(UsageError) {
            let format = try FormatSpec.format(text[...], of: "\"format\"")
            if format.isOfPeaks { return format }
        } catch { throw problem(error.description) }
        throw problem("\"format\" takes dat or json here, not \(text.quoted)")
    }

    private static func time(_ name: String, _ values: [String: String]) throws(Problem) -> Double? {
        guard let text = values[name] else { return nil }
        if let seconds = OptionValue<Double>.time(of: text) { return seconds }
        throw problem("\(name.quoted) takes \(OptionValue<Double>.timeKind), not \(text.quoted)")
    }

    private static func number(
        _ name: String, _ range: ClosedRange<Int>, _ values: [String: String]
    ) throws(Problem) -> Int? {
        guard let text = values[name] else { return nil }
        if let number = Int(text), range.contains(number) { return number }
        throw problem(
            "\(name.quoted) takes a whole number from \(range.lowerBound) to \(range.upperBound), not \(text.quoted)")
    }

    static func problem(_ text: String) -> Problem { Problem(400, "invalid-query", text) }
}
