import Foundation
import Offstage
import OffstageSound
import Testing

/// One engine for all tests, so its workers start only once.
let engine = SoundEngine(workers: 2)

/// A WAV file with any header.
struct RawWAV {
    var rate = 8000
    var channels = 1
    var bits = 16
    /// 1 for integers, 3 for floating-point numbers.
    var format = 1
    var samples = Data()
    /// The lengths in the header; nil for the correct ones.
    var riffLength: Int?
    var dataLength: Int?

    var data: Data {
        func bytes(_ number: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        let frame = channels * bits / 8
        var data = Data("RIFF".utf8) + Data(bytes(riffLength ?? 36 + samples.count, 4)) + Data("WAVEfmt ".utf8)
        let fields = [(16, 4), (format, 2), (channels, 2), (rate, 4), (rate * frame, 4), (frame, 2), (bits, 2)]
        data += Data(fields.flatMap { bytes($0.0, $0.1) })
        return data + Data("data".utf8) + Data(bytes(dataLength ?? samples.count, 4)) + samples
    }

    /// 16-bit samples, interleaved.
    init(_ samples: [Int16], rate: Int = 8000, channels: Int = 1) {
        (self.rate, self.channels) = (rate, channels)
        self.samples = samples.reduce(into: Data()) { data, sample in
            withUnsafeBytes(of: sample.littleEndian) { data.append(contentsOf: $0) }
        }
    }

    /// 32-bit floating-point samples.
    init(floats: [Float], rate: Int = 8000) {
        (self.rate, bits, format) = (rate, 32, 3)
        samples = floats.reduce(into: Data()) { data, sample in
            withUnsafeBytes(of: sample.bitPattern.littleEndian) { data.append(contentsOf: $0) }
        }
    }
}

/// A tone that becomes louder, with another one in the second channel.
func tone(_ frames: Int, channels: Int = 1, rate: Int = 8000) -> [Int16] {
    (0..<frames).flatMap { frame in
        (0..<channels).map { channel in
            let swing = sin(Double(frame) * Double(200 + 130 * channel) * 2 * .pi / Double(rate))
            return Int16(swing * 30_000 * Double(frame + 1) / Double(frames))
        }
    }
}

func request(_ data: Data, _ change: (inout Waveform) -> Void = { _ in }) -> Waveform {
    var request = Waveform(identifier: "test", sound: Sound(data))
    change(&request)
    return request
}

/// The peaks of a file's bytes.
func peaks(_ data: Data, framesPerPeak: Int = 256) async throws -> Peaks {
    try await engine.peaks(of: request(data) { $0.framesPerPeak = framesPerPeak }).peaks
}

/// The error of a drawing; nil if there is a picture.
func failure(
    _ data: Data, in engine: SoundEngine = engine, _ change: (inout Waveform) -> Void = { _ in }
) async -> DrawingError? {
    do throws(DrawingError) {
        _ = try await engine.draw(request(data, change))
        return nil
    } catch { return error }
}

extension DrawingError {
    /// The code of a problem with the source.
    var problemCode: String? { if case .unusable(let problem) = self { problem.code } else { nil } }
}

/// Runs a program that makes sounds, and returns its standard output.
func output(of arguments: [String], input: Data = Data()) throws -> Data {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sound-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (from, to) = (folder.appendingPathComponent("in"), folder.appendingPathComponent("out"))
    try input.write(to: from)
    try Data().write(to: to)
    process.standardInput = try FileHandle(forReadingFrom: from)
    process.standardOutput = try FileHandle(forWritingTo: to)
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(arguments)")
    return try Data(contentsOf: to)
}

/// A WAV file in another format.
func converted(_ wav: Data, to type: String) throws -> Data {
    if type == "opus" { return try output(of: ["opusenc", "--quiet", "-", "-"], input: wav) }
    return try output(of: ["sox", "-D", "-t", "wav", "-", "-t", type, "-"], input: wav)
}
