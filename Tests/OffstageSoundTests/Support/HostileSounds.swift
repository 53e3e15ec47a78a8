import Foundation

/// Sounds with wrong values, truncated sounds, and sounds that never end.
enum HostileSounds {
    /// Two seconds of a tone, in 16-bit samples.
    static let good = RawWAV(tone(16_000, channels: 2), channels: 2).data

    /// Created only once.
    static func all() throws -> [(name: String, data: Data)] { try made.get() }

    private static let made = Result { try wav + floats + flac() + ogg() + mp3() + others }

    private static func number(_ value: Int, _ count: Int, bigEndian: Bool = false) -> Data {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return Data(bigEndian ? bytes.reversed() : bytes)
    }

    /// A WAV file with different bytes at an offset in its header.
    private static func patched(_ offset: Int, _ bytes: Data) -> Data {
        var data = good
        data.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        return data
    }

    private static func chunk(_ name: String, _ content: Data, length: Int? = nil) -> Data {
        Data(name.utf8) + number(length ?? content.count, 4) + content
    }

    private static func riff(_ chunks: Data) -> Data {
        Data("RIFF".utf8) + number(chunks.count + 4, 4) + Data("WAVE".utf8) + chunks
    }

    private static let format = good[20..<36]
    private static let samples = Data(good[44...])

    private static let wav: [(String, Data)] = [
        ("data length all ones", patched(40, number(-1, 4))), ("data length 0", patched(40, number(0, 4))),
        ("data length beyond the end", patched(40, number(1 << 30, 4))),
        ("RIFF length 0", patched(4, number(0, 4))), ("RIFF length all ones", patched(4, number(-1, 4))),
        ("no channels", patched(22, number(0, 2))), ("65,535 channels", patched(22, number(-1, 2))),
        ("33 channels", patched(22, number(33, 2))), ("rate 0", patched(24, number(0, 4))),
        ("rate all ones", patched(24, number(-1, 4))), ("0 bits", patched(34, number(0, 2))),
        ("7 bits", patched(34, number(7, 2))), ("65,535 bits", patched(34, number(-1, 2))),
        ("frame of 0 bytes", patched(32, number(0, 2))),
        ("extensible without its extension", patched(20, number(0xFFFE, 2))),
        ("MP3 inside", patched(20, number(0x55, 2))), ("ADPCM that is none", patched(20, number(2, 2))),
        ("GSM that is none", patched(20, number(0x31, 2))),
        ("no format", riff(chunk("data", samples))),
        ("data before the format", riff(chunk("data", samples) + chunk("fmt ", Data(format)))),
        ("a chunk beyond the end", riff(chunk("fmt ", Data(format)) + chunk("LIST", Data(), length: -1) + samples)),
        (
            "10,000 chunks",
            riff(
                chunk("fmt ", Data(format))
                    + (0..<10_000).reduce(into: Data()) { data, _ in data += chunk("junk", Data()) }
                    + chunk("data", samples))
        ),
        ("cut in the head", Data(good.prefix(30))), ("cut in the samples", Data(good.prefix(20_001))),
        ("no samples", RawWAV([]).data), ("a name alone", Data("RIFF\0\0\0\0WAVE".utf8)),
    ]

    private static let floats: [(String, Data)] = [
        ("not numbers", RawWAV(floats: Array(repeating: .nan, count: 3000)).data),
        ("infinite", RawWAV(floats: (0..<3000).map { $0 % 2 == 0 ? .infinity : -.infinity }).data),
        ("huge", RawWAV(floats: (0..<3000).map { $0 % 2 == 0 ? 3e38 : -3e38 }).data),
    ]

    private static func flac() throws -> [(String, Data)] {
        let file = try converted(good, to: "flac")
        var long = file
        // The number of samples is a 36-bit field.
        long.replaceSubrange(22..<26, with: number(-1, 4))
        var odd = file
        for index in stride(from: 60, to: odd.count, by: 101) { odd[index] ^= 0x55 }
        // An hour of silence in a few hundred KB.
        let bomb = try output(of: [
            "sox", "-n", "-r", "44100", "-c", "2", "-t", "flac", "-C", "8", "-", "trim", "0", "3600",
        ])
        return [
            ("FLAC's name alone", Data("fLaC".utf8)), ("FLAC of 2^32 samples", long),
            ("cut FLAC", Data(file.prefix(file.count / 2))),
            ("FLAC with odd bytes", odd), ("an hour of silence", bomb),
        ]
    }

    private static func ogg() throws -> [(String, Data)] {
        let file = try converted(good, to: "ogg")
        let opus = try converted(good, to: "opus")
        var odd = file
        for index in stride(from: 4000, to: odd.count, by: 307) { odd[index] ^= 0xFF }
        var late = opus
        // The time stamp of the second page.
        if let page = late.range(of: Data("OggS".utf8), in: 4..<late.count) {
            late.replaceSubrange(page.lowerBound + 6..<page.lowerBound + 14, with: number(Int.max, 8))
        }
        return [
            ("Ogg's name alone", Data("OggS".utf8)), ("two Vorbis streams", file + file),
            ("Vorbis, then Opus", file + opus),
            ("cut Vorbis", Data(file.prefix(file.count / 2))), ("Vorbis with odd bytes", odd),
            ("Opus of a wrong time", late),
            ("10,000 empty pages", Data((0..<10_000).flatMap { _ in Data("OggS".utf8) + Data(count: 23) })),
        ]
    }

    private static func mp3() throws -> [(String, Data)] {
        let file = try converted(good, to: "mp3")
        let tag = Data("ID3".utf8) + Data([4, 0, 0])
        var odd = file
        for index in stride(from: 700, to: odd.count, by: 211) { odd[index] ^= 0xFF }
        return [
            ("a tag of 256 MB", tag + Data([0x7F, 0x7F, 0x7F, 0x7F]) + file),
            ("a tag alone", tag + Data([0, 0, 0, 0])),
            ("10,000 tags", Data((0..<10_000).flatMap { _ in tag + [0, 0, 0, 0] }) + file),
            ("tags without an end", Data((0..<10_000).flatMap { _ in tag + [0, 0, 0, 0] })),
            ("a frame's head, then nothing", Data([0xFF, 0xFB, 0x90, 0x64]) + Data(count: 5000)),
            ("ones", Data(repeating: 0xFF, count: 50_000)), ("cut MP3", Data(file.prefix(file.count / 2 + 3))),
            ("MP3 with odd bytes", odd), ("MP3, zeros, MP3", file + Data(count: 200_000) + file),
        ]
    }

    private static let others: [(String, Data)] = [
        (
            "AIFF of -1 channels",
            Data("FORM".utf8) + number(100, 4, bigEndian: true) + Data("AIFFCOMM".utf8) + number(18, 4, bigEndian: true)
                + number(-1, 2) + number(1000, 4, bigEndian: true) + number(16, 2, bigEndian: true) + Data(count: 10)
        ),
        ("AU that begins beyond its end", Data(".snd".utf8) + number(-1, 4) + number(-1, 4) + Data(count: 40)),
        (
            "CAF with an endless chunk",
            Data("caff".utf8) + number(1, 2, bigEndian: true) + Data(count: 2) + Data("desc".utf8) + number(-2, 8)
        ),
        (
            "W64 with a chunk of a negative length",
            Data("riff".utf8) + Data([0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 4, 0xC1, 0, 0]) + number(-40, 8)
                + Data("wave".utf8) + Data(count: 60)
        ),
    ]
}
