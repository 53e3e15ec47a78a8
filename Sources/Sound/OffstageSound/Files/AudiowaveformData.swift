import Foundation

/// The options for files of peaks in audiowaveform's formats.
public struct AudiowaveformOptions: Sendable, Hashable {
    /// Bits per value, 8 or 16. Default 16.
    public enum Bits: Int, Sendable, Hashable, CaseIterable {
        case eight = 8
        case sixteen = 16
    }

    /// Default 16.
    public var bits = Bits.sixteen
    /// True: each channel has its own peaks. Default false, their mix.
    public var splitsChannels = false

    /// Makes options for peaks of the mix, with 16 bits.
    public init() {}
}

/// audiowaveform's binary data, `.dat`, versions 1 and 2.
extension Peaks {
    /// Writes audiowaveform's binary data, with the same bytes as audiowaveform itself: version 1, or version 2 for
    /// several split channels.
    ///
    /// - Parameter options: bits and channels. Default 16 bits of the mix.
    /// - Returns: the bytes of the file.
    public func audiowaveformData(_ options: AudiowaveformOptions = AudiowaveformOptions()) -> Data {
        let tracks = options.splitsChannels ? separateTracks : [.mix]
        let isSplit = tracks.count > 1
        var data = Data(capacity: 24 + count * tracks.count * options.bits.rawValue / 4)
        func add(_ number: UInt32) { withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) } }
        add(isSplit ? 2 : 1)
        add(options.bits == .eight ? 1 : 0)
        add(UInt32(clamping: rate))
        add(UInt32(clamping: framesPerPeak))
        add(UInt32(clamping: count))
        if isSplit { add(UInt32(tracks.count)) }
        for index in 0..<count {
            for track in tracks {
                let peak = self[track, index]
                for value in [peak.lowest, peak.highest] {
                    switch options.bits {
                    case .eight: data.append(UInt8(bitPattern: Int8(value / 256)))
                    case .sixteen: withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
                    }
                }
            }
        }
        return data
    }

    /// Reads audiowaveform's binary data.
    ///
    /// - Parameter data: the bytes of the file. Untrusted.
    /// - Throws: `PeaksFileError` for other bytes. A truncated file gives the peaks that it contains.
    public init(audiowaveformData data: Data) throws(PeaksFileError) {
        let bytes = [UInt8](data.prefix(24))
        func number(_ place: Int) -> Int {
            (0..<4).reduce(0) { $0 | Int(bytes[4 * place + $1]) << (8 * $1) }
        }
        guard bytes.count >= 20, [1, 2].contains(number(0)) else {
            throw PeaksFileError("it is not audiowaveform's binary data, version 1 or 2")
        }
        let isSplit = number(0) == 2
        guard !isSplit || bytes.count == 24 else { throw PeaksFileError("its header is cut off") }
        let channels = isSplit ? number(5) : 1
        let (width, head) = (number(1) & 1 == 1 ? 1 : 2, isSplit ? 24 : 20)
        guard (1...32).contains(channels), (1...Int(Int32.max)).contains(number(2)),
            (1...Int(Int32.max)).contains(number(3))
        else { throw PeaksFileError("its header has an invalid sample rate, zoom or number of channels") }
        let present = (data.count - head) / (2 * width * channels)
        self = data.dropFirst(head).withUnsafeBytes { values in
            func value(_ index: Int) -> Int16 {
                width == 1
                    ? Int16(Int8(bitPattern: values[index])) * 256
                    : Int16(littleEndian: values.loadUnaligned(fromByteOffset: 2 * index, as: Int16.self))
            }
            return Peaks(
                rate: number(2), framesPerPeak: number(3), channels: channels, count: min(present, number(4)),
                value: value)
        }
    }

    /// - Parameter value: the lowest and the highest sample of the first channel, then of the next.
    init(rate: Int, framesPerPeak: Int, channels: Int, count: Int, value: (Int) -> Int16) {
        var records = Data(capacity: count * Self.trackCount(channels: channels) * Self.recordSize)
        for index in 0..<count {
            let peaks = (0..<channels).map { channel in
                let place = 2 * (index * channels + channel)
                return Peak(lowest: value(place), highest: value(place + 1))
            }
            if channels > 1 {
                // The mix is not in the file. This is the outline of all channels.
                Self.append(
                    Peak(lowest: peaks.map(\.lowest).min() ?? 0, highest: peaks.map(\.highest).max() ?? 0), to: &records
                )
            }
            for peak in peaks { Self.append(peak, to: &records) }
        }
        self.init(
            rate: rate, channels: channels, framesPerPeak: framesPerPeak, hasMeanSquares: false, records: records)
    }
}
