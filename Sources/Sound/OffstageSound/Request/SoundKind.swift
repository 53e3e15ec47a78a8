import COffstageWire
import Foundation

/// A sound file format, recognized by its first bytes. A file's extension does not matter.
public enum SoundKind: String, Sendable, Hashable, CaseIterable {
    case wav = "WAV"
    case aiff = "AIFF"
    case au = "AU"
    case w64 = "W64"
    case caf = "CAF"
    case flac = "FLAC"
    /// Vorbis, Opus or FLAC.
    case ogg = "Ogg"
    case mp3 = "MP3"
    /// AAC without a container.
    case aac = "AAC"
    /// AC-3 and E-AC-3 without a container.
    case ac3 = "AC-3"
    case wavpack = "WavPack"
    /// MP4, M4A and QuickTime; mostly AAC.
    case mp4 = "MP4"
    /// Matroska and WebM.
    case matroska = "Matroska"
    /// MPEG transport streams, from broadcasts and discs.
    case mpegTS = "MPEG-TS"

    /// The number of bytes at a file's beginning that decide its format.
    static let headSize = 512

    /// Recognizes a file. One that begins with a tag counts as MP3 here, whatever follows the tag.
    ///
    /// - Parameter data: the file, or at least its first 512 bytes.
    /// - Returns: nil for an unrecognized file.
    public init?(of data: Data) {
        let head = [UInt8](data.prefix(Self.headSize))
        func has(_ bytes: [UInt8], at offset: Int = 0) -> Bool {
            head.count >= offset + bytes.count && Array(head[offset..<offset + bytes.count]) == bytes
        }
        func has(_ text: String, at offset: Int = 0) -> Bool { has(Array(text.utf8), at: offset) }
        if has("RIFF") || has("RIFX") || has("RF64") || has("BW64"), has("WAVE", at: 8) {
            self = .wav
        } else if has("FORM"), has("AIFF", at: 8) || has("AIFC", at: 8) {
            self = .aiff
        } else if has(".snd") || has("dns.") {
            self = .au
        } else if has("riff"), has([0x2E, 0x91, 0xCF, 0x11], at: 4) {
            self = .w64
        } else if has("caff") {
            self = .caf
        } else if has("fLaC") {
            self = .flac
        } else if has("OggS") {
            self = .ogg
        } else if has("ID3") || Self.isFrame(head) {
            self = .mp3
        } else if head.count >= 2, head[0] == 0xFF, head[1] & 0xF6 == 0xF0 {
            self = .aac
        } else if has("ftyp", at: 4), !Self.imageBrands.contains(where: { has($0, at: 8) }) {
            self = .mp4
        } else if has([0x1A, 0x45, 0xDF, 0xA3]) {
            self = .matroska
        } else if has("wvpk") {
            self = .wavpack
        } else if Self.isAC3(head) {
            self = .ac3
        } else if Self.isTransportStream(head) {
            self = .mpegTS
        } else {
            return nil
        }
    }

    /// Brands of images in the same container.
    private static let imageBrands = ["hei", "hev", "mif", "msf", "avif", "avis"]

    /// True for a format whose worker is large.
    var isRare: Bool { [.aac, .ac3, .wavpack, .mp4, .matroska, .mpegTS].contains(self) }

    /// The header of an MPEG audio frame: 11 one bits, and no field with a reserved value.
    private static func isFrame(_ head: [UInt8]) -> Bool {
        guard head.count >= 4, head[0] == 0xFF, head[1] & 0xE0 == 0xE0 else { return false }
        // The version, the layer (AAC has none), the bit rate and the rate.
        return head[1] & 0x18 != 0x08 && head[1] & 0x06 != 0 && head[2] & 0xF0 != 0xF0 && head[2] & 0x0C != 0x0C
    }

    /// The beginning of a frame: its signature, a valid rate, a valid size, and the version of the stream.
    private static func isAC3(_ head: [UInt8]) -> Bool {
        guard head.count >= 6, head[0] == 0x0B, head[1] == 0x77 else { return false }
        let version = head[5] >> 3
        return version > 10 ? version <= 16 : head[4] & 0xC0 != 0xC0 && head[4] & 0x3F < 38
    }

    /// Three consecutive packets, as in broadcasts, or each with a time before it, as on discs.
    private static func isTransportStream(_ head: [UInt8]) -> Bool {
        [(0, 188), (4, 192)].contains { start, size in
            (0..<3).allSatisfy { head.count > start + $0 * size && head[start + $0 * size] == 0x47 }
        }
    }

    /// True for the first bytes of a sound file in an unsupported format, such as AVI, Windows Media, Flash, Monkey's
    /// Audio or AMR.
    public static func isUndecoded(_ data: Data) -> Bool {
        let head = [UInt8](data.prefix(4096))
        func has(_ text: String, at offset: Int = 0) -> Bool { head.dropFirst(offset).starts(with: text.utf8) }
        if has("RIFF") && has("AVI ", at: 8) || has("FORM") && (has("8SVX", at: 8) || has("16SV", at: 8)) {
            return true
        }
        return undecodedTexts.contains { has($0) } || undecodedBytes.contains { head.starts(with: $0) } || isLATM(head)
    }

    /// Flash, Creative Voice, Sphere, True Audio, Musepack, OptimFROG, AMR, Real Audio, DSD and AAC with one header.
    private static let undecodedTexts = [
        "FLV\u{1}", "Creative Voice File\u{1A}", "NIST_1A\n", "TTA1", "TTA2", "MPCK", "MP+\u{7}", "MP+\u{17}", "OFR ",
        "#!AMR",
        ".RMF\0", "DSD ", "FRM8", "ADIF",
    ]

    /// Windows Media, a program stream of MPEG, Real Audio, Monkey's Audio, IRCAM and DTS.
    private static let undecodedBytes: [[UInt8]] = [
        [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11], [0, 0, 1, 0xBA],
        [0x2E, 0x72, 0x61, 0xFD], [0x4D, 0x41, 0x43, 0x20, 0x96, 0x0F], [0x64, 0xA3, 1, 0], [0x64, 0xA3, 2, 0],
        [0x64, 0xA3, 3, 0], [0, 1, 0xA3, 0x64], [0, 2, 0xA3, 0x64], [0, 3, 0xA3, 0x64], [0x7F, 0xFE, 0x80, 0x01],
    ]

    /// AAC as used in broadcasts, without a container: two consecutive frames.
    private static func isLATM(_ head: [UInt8]) -> Bool {
        func isFrame(_ place: Int) -> Bool {
            place + 2 < head.count && head[place] == 0x56 && head[place + 1] & 0xE0 == 0xE0
        }
        return isFrame(0) && isFrame(3 + Int(head[1] & 0x1F) << 8 + Int(head[2]))
    }

    /// The number in the worker's options.
    var library: UInt32 {
        if isRare { return OFFSTAGE_SOUND_GSTREAMER.rawValue }
        return self == .mp3 ? OFFSTAGE_SOUND_MPG123.rawValue : OFFSTAGE_SOUND_SNDFILE.rawValue
    }
}
