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
    /// Vorbis or Opus.
    case ogg = "Ogg"
    case mp3 = "MP3"
    /// AAC without a container.
    case aac = "AAC"
    /// MP4, M4A and QuickTime; mostly AAC.
    case mp4 = "MP4"
    /// Matroska and WebM.
    case matroska = "Matroska"

    /// Recognizes a file. One that begins with a tag counts as MP3 here: what follows the tag is not looked at.
    ///
    /// - Parameter data: the file, or at least its first 64 bytes.
    /// - Returns: nil for a file of another kind.
    public init?(of data: Data) {
        let head = [UInt8](data.prefix(64))
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
        } else {
            return nil
        }
    }

    /// Of images in the same container.
    private static let imageBrands = ["hei", "hev", "mif", "msf", "avif", "avis"]

    /// True for a kind whose worker is large.
    var isRare: Bool { [.aac, .mp4, .matroska].contains(self) }

    /// The head of an MPEG audio frame: 11 bits of ones, and no field with a value that has no meaning.
    private static func isFrame(_ head: [UInt8]) -> Bool {
        guard head.count >= 4, head[0] == 0xFF, head[1] & 0xE0 == 0xE0 else { return false }
        // The version, the layer (AAC has none), the bit rate and the rate.
        return head[1] & 0x18 != 0x08 && head[1] & 0x06 != 0 && head[2] & 0xF0 != 0xF0 && head[2] & 0x0C != 0x0C
    }

    /// True for the first bytes of a file that may have a sound, of a kind that cannot be decoded: AVI, Windows Media or Flash.
    public static func isUndecoded(_ data: Data) -> Bool {
        let head = [UInt8](data.prefix(16))
        func has(_ text: String, at offset: Int = 0) -> Bool { head.dropFirst(offset).starts(with: text.utf8) }
        return has("RIFF") && has("AVI ", at: 8) || has("FLV\u{1}")
            || head.starts(with: [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11])
    }

    /// The number in the worker's options.
    var library: UInt32 {
        if isRare { return OFFSTAGE_SOUND_GSTREAMER.rawValue }
        return self == .mp3 ? OFFSTAGE_SOUND_MPG123.rawValue : OFFSTAGE_SOUND_SNDFILE.rawValue
    }
}
