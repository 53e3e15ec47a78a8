import Foundation

/// audiowaveform's JSON.
extension Peaks {
    /// Writes audiowaveform's JSON, with the same bytes as audiowaveform itself.
    ///
    /// - Parameter options: bits and channels. Default 16 bits of the mix.
    /// - Returns: the bytes of the file.
    public func audiowaveformJSON(_ options: AudiowaveformOptions = AudiowaveformOptions()) -> Data {
        let tracks = options.splitsChannels ? separateTracks : [.mix]
        var text =
            "{\"version\":2,\"channels\":\(tracks.count),\"sample_rate\":\(rate),\"samples_per_pixel\":\(framesPerPeak),"
            + "\"bits\":\(options.bits.rawValue),\"length\":\(count),\"data\":["
        var isFirst = true
        for index in 0..<count {
            for track in tracks {
                let peak = self[track, index]
                for value in [peak.lowest, peak.highest] {
                    if !isFirst { text += "," }
                    isFirst = false
                    text += String(options.bits == .eight ? value / 256 : value)
                }
            }
        }
        return Data((text + "]}\n").utf8)
    }

    /// Reads audiowaveform's JSON.
    ///
    /// - Parameter data: the bytes of the file. Untrusted.
    /// - Throws: `PeaksFileError` for other bytes.
    public init(audiowaveformJSON data: Data) throws(PeaksFileError) {
        guard let file = try? JSONDecoder().decode(AudiowaveformFile.self, from: data) else {
            throw PeaksFileError("it is not audiowaveform's JSON")
        }
        let channels = file.channels ?? 1
        guard (1...32).contains(channels), (1...Int(Int32.max)).contains(file.sampleRate),
            (1...Int(Int32.max)).contains(file.samplesPerPixel)
        else { throw PeaksFileError("it has an invalid sample rate, zoom or number of channels") }
        let factor = file.bits == 8 ? 256 : 1
        let values = file.data
        self.init(
            rate: file.sampleRate, framesPerPeak: file.samplesPerPixel, channels: channels,
            count: min(values.count / (2 * channels), max(0, file.length ?? Int.max))
        ) { Int16(clamping: max(-32768, min(32767, values[$0])) * factor) }
    }
}

private struct AudiowaveformFile: Decodable {
    var channels: Int?
    var sampleRate: Int
    var samplesPerPixel: Int
    var bits: Int?
    var length: Int?
    var data: [Int]

    enum CodingKeys: String, CodingKey {
        case channels, bits, length, data
        case sampleRate = "sample_rate"
        case samplesPerPixel = "samples_per_pixel"
    }
}
