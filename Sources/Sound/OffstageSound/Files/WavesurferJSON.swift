import Foundation

/// JSON for wavesurfer's option `peaks`: for each channel, alternating lowest and highest samples, from -1 to 1.
extension Peaks {
    /// Writes wavesurfer's JSON: `{"duration":…,"peaks":[[…],…]}`.
    ///
    /// - Parameter splitsChannels: true, the default: one list for each channel. False: one list, of the mix.
    /// - Returns: the bytes of the file.
    public func wavesurferJSON(splitsChannels: Bool = true) -> Data {
        let lists = (splitsChannels ? separateTracks : [.mix]).map { track in
            let values = (0..<count).flatMap { index in
                let peak = self[track, index]
                return [peak.lowest, peak.highest].map(Self.share)
            }
            return "[" + values.joined(separator: ",") + "]"
        }
        return Data("{\"duration\":\(duration),\"peaks\":[\(lists.joined(separator: ","))]}\n".utf8)
    }

    /// Four decimals, as precise as a picture can show.
    private static func share(_ value: Int16) -> String {
        let share = (Double(value) / 32768 * 10_000).rounded() / 10_000
        return share == share.rounded() ? String(Int(share)) : String(share)
    }

    /// Reads wavesurfer's JSON. It has no rate; the peaks get the rate that fits the duration.
    ///
    /// - Parameters:
    ///   - data: the bytes of the file. Untrusted. It may also contain only the lists: `[[…],…]`.
    ///   - duration: the sound's length in seconds, if `data` contains only the lists. Default 0: one second per peak.
    /// - Throws: `PeaksFileError` for other bytes.
    public init(wavesurferJSON data: Data, duration: Double = 0) throws(PeaksFileError) {
        var file = WavesurferFile(duration: duration, peaks: [])
        if let whole = try? JSONDecoder().decode(WavesurferFile.self, from: data) {
            file = whole
        } else if let lists = try? JSONDecoder().decode([[Double]].self, from: data) {
            file.peaks = lists
        } else {
            throw PeaksFileError("it is not JSON with wavesurfer's peaks")
        }
        let lists = file.peaks
        let count = (lists.map(\.count).min() ?? 0) / 2
        guard (1...32).contains(lists.count), count > 0 else { throw PeaksFileError("it has no peaks") }
        let seconds = (file.duration ?? 0) > 0 ? file.duration! : Double(count)
        // A peak has a whole number of frames. With a thousand, every common duration is exact to a thousandth.
        let rate = min(max(1, (Double(count) * 1000 / seconds).rounded()), 1e9)
        self.init(rate: Int(rate), framesPerPeak: 1000, channels: lists.count, count: count) { place in
            let (index, channel) = (place / 2 / lists.count, place / 2 % lists.count)
            let value = lists[channel][2 * index + place % 2] * 32768
            return Int16(max(-32768, min(32767, value.isNaN ? 0 : value)).rounded())
        }
    }
}

private struct WavesurferFile: Decodable {
    var duration: Double?
    var peaks: [[Double]]
}
