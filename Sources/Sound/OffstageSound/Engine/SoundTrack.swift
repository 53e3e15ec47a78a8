import COffstageWire

/// A sound track of a container, such as a video.
public struct SoundTrack: Sendable, Hashable {
    /// `AAC`, `Opus`; empty if unknown.
    public var codec: String
    /// As written in the file, usually an ISO 639 code; nil if the file does not specify it.
    public var language: String?
    /// Frames per second; nil if the container does not specify it.
    public var rate: Int?
    /// Nil if the container does not specify it.
    public var channels: Int?

    /// Untrusted.
    init(_ track: offstage_sound_track) {
        codec = Self.text(track.codec)
        let language = Self.text(track.language)
        self.language = language.isEmpty ? nil : language
        rate = track.rate > 0 ? Int(track.rate) : nil
        channels = track.channels > 0 ? Int(track.channels) : nil
    }

    private static func text(_ bytes: some Any) -> String {
        withUnsafeBytes(of: bytes) { String(decoding: $0.prefix { $0 >= 0x20 && $0 < 0x7F }, as: UTF8.self) }
    }
}
