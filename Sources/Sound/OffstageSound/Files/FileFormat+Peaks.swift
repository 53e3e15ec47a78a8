import Foundation
import Offstage
import OffstageVector

/// The layout of peaks in a JSON file.
public enum PeaksJSON: Sendable, Hashable {
    case audiowaveform(AudiowaveformOptions)
    /// For wavesurfer's option `peaks`.
    ///
    /// - Parameter splitsChannels: one list for each channel.
    case wavesurfer(splitsChannels: Bool)
}

extension FileFormat {
    /// The peaks of a sound as audiowaveform's binary data. Only waveforms have peaks.
    ///
    /// - Parameter options: bits and channels. Default 16 bits of the mix.
    public static func dat(_ options: AudiowaveformOptions = AudiowaveformOptions()) -> FileFormat {
        FileFormat(
            Kind(name: "dat", fileExtensions: ["dat"], mediaType: "application/x-audiowaveform"),
            specification: "dat:\(options.description)"
        ) { picture throws(EncodingError) in
            data(of: picture).map { $0.peaks.audiowaveformData($0.applied(to: options)) }
        }
    }

    /// The peaks of a sound as JSON. Only waveforms have peaks.
    ///
    /// - Parameter layout: default audiowaveform's, with 16 bits of the mix.
    public static func json(_ layout: PeaksJSON = .audiowaveform(AudiowaveformOptions())) -> FileFormat {
        let specification =
            switch layout {
            case .audiowaveform(let options): "json:\(options.description)"
            case .wavesurfer(let isSplit): "json:wavesurfer,\(isSplit)"
            }
        return FileFormat(
            Kind(name: "json", fileExtensions: ["json"], mediaType: "application/json"), specification: specification
        ) { picture throws(EncodingError) in
            data(of: picture).map { data in
                switch layout {
                case .audiowaveform(let options): data.peaks.audiowaveformJSON(data.applied(to: options))
                case .wavesurfer(let isSplit):
                    data.peaks.wavesurferJSON(splitsChannels: isSplit || data.splitsChannels)
                }
            }
        }
    }

    /// True for a format of peaks.
    package var isOfPeaks: Bool { ["dat", "json"].contains(name) }

    /// Encodes peaks in a format of peaks.
    package func encode(_ peaks: Peaks) throws(EncodingError) -> Data {
        try encode(.vector(PeaksAlone(peaks: peaks)), scale: 1)
    }

    private static func data(of picture: any VectorPicture) -> WrittenPeaks? {
        (picture as? PeaksAlone).map { WrittenPeaks(peaks: $0.peaks, splitsChannels: false) }
            ?? (picture as? VectorImage)?.data as? WrittenPeaks
    }
}

/// The peaks of a drawing, for the formats of peaks.
struct WrittenPeaks: Sendable {
    let peaks: Peaks
    /// True if the drawing has a waveform for each channel. Its files then also contain separate values.
    let splitsChannels: Bool

    fileprivate func applied(to options: AudiowaveformOptions) -> AudiowaveformOptions {
        var options = options
        options.splitsChannels = options.splitsChannels || splitsChannels
        return options
    }
}

/// Peaks without a drawing, for the formats of peaks.
private struct PeaksAlone: VectorPicture {
    let peaks: Peaks
    var size: PixelSize { PixelSize(width: max(1, peaks.count), height: 1) }
    var isOpaque: Bool { false }

    func finished(with margins: Margins) -> (picture: any VectorPicture, left: Int, top: Int) { (self, 0, 0) }
}

extension AudiowaveformOptions {
    fileprivate var description: String { "\(bits.rawValue),\(splitsChannels)" }
}
