import COffstageWire
import Foundation

/// A kind of sound file, found by its first bytes. A file's extension does not matter.
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

    /// Recognizes a file.
    ///
    /// - Parameter data: the file, or at least its first 64 bytes.
    /// - Returns: nil for a file of another kind.
    public init?(of data: Data) {
        let head = [UInt8](data.prefix(64))
        func has(_ bytes: [UInt8], at offset: Int = 0) -> Bool {
            head.count >= offset + bytes.count && Array(head[offset..<offset + bytes.count]) == bytes
        }
        func has(_ text: String, at offset: Int = 0) -> Bool { has(Array(text.utf8), at: offset) }
        if has("RIFF") || has("RIFX") || has("RF64"), has("WAVE", at: 8) {
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
        } else {
            return nil
        }
    }

    /// The head of an MPEG audio frame: 11 bits of ones, and no field with a value that has no meaning.
    private static func isFrame(_ head: [UInt8]) -> Bool {
        guard head.count >= 4, head[0] == 0xFF, head[1] & 0xE0 == 0xE0 else { return false }
        // The version, the layer (AAC has none), the bit rate and the rate.
        return head[1] & 0x18 != 0x08 && head[1] & 0x06 != 0 && head[2] & 0xF0 != 0xF0 && head[2] & 0x0C != 0x0C
    }

    /// True for the first bytes of a file that may have a sound, of a kind that cannot be decoded: AAC, or a container of videos.
    public static func isUndecoded(_ data: Data) -> Bool {
        let head = [UInt8](data.prefix(16))
        guard head.count >= 12 else { return false }
        let (first, second) = (
            String(decoding: head[..<4], as: UTF8.self), String(decoding: head[4..<8], as: UTF8.self)
        )
        if second == "ftyp" {
            // Others with this head are images.
            let brand = String(decoding: head[8..<12], as: UTF8.self)
            return !["hei", "hev", "mif", "msf", "avif", "avis"].contains { brand.hasPrefix($0) }
        }
        // ADTS; Matroska and WebM; AVI; Windows Media; Flash.
        return head[0] == 0xFF && head[1] & 0xF6 == 0xF0 || head.starts(with: [0x1A, 0x45, 0xDF, 0xA3])
            || first == "RIFF" && String(decoding: head[8..<12], as: UTF8.self) == "AVI "
            || head.starts(with: [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11])
            || head.starts(with: Array("FLV".utf8))
    }

    /// The number in the worker's options.
    var library: UInt32 {
        self == .mp3 ? OFFSTAGE_SOUND_MPG123.rawValue : OFFSTAGE_SOUND_SNDFILE.rawValue
    }
}
