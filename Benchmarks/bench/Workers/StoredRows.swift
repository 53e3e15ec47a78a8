import Benchmarking
import Foundation
import Offstage
import OffstageHTML

/// The rows of a list that was drawn earlier: a host's requests and their cached pictures.
struct StoredRows: Sendable {
    /// The engine never starts and draws nothing here; it only computes fingerprints.
    let engine: HTMLEngine

    func snippet(_ number: Int) -> Snippet {
        Snippet(MadeDocument.plainRow(number), identifier: "list/row-\(number)")
    }

    /// The key under which a renderer caches a row's pixels.
    func key(_ number: Int) -> PictureKey { .pixels(of: "list/row-\(number)") }

    func picture(_ number: Int, like sample: SamplePNG) -> StoredPicture {
        StoredPicture(
            data: sample.numbered(number),
            info: PictureInfo(
                fingerprint: engine.fingerprint(of: snippet(number))!, format: "png", size: sample.size, scale: 1,
                isOpaque: true))
    }
}

/// A picture of a row, from which others of the same size and cost are made.
struct SamplePNG: Sendable {
    let size: PixelSize
    private let data: Data

    /// Nil unless the data is a PNG file whose header has the usual length.
    init?(_ data: Data) {
        guard data.count > 57, data.starts(with: [0x89, 0x50, 0x4E, 0x47]) else { return nil }
        func number(at offset: Int) -> Int { data[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        size = PixelSize(width: number(at: 16), height: number(at: 20))
        self.data = data
    }

    /// A different file with the same pixels: a `tEXt` chunk is inserted before the end, which takes the last 12
    /// bytes.
    func numbered(_ number: Int) -> Data {
        let chunk = Data("tEXtrow\0\(number)".utf8)
        var file = Data(data.dropLast(12))
        file.append(Self.bytes(UInt32(chunk.count - 4)))
        file.append(chunk)
        file.append(Self.bytes(Self.checksum(chunk)))
        file.append(data.suffix(12))
        return file
    }

    private static func bytes(_ value: UInt32) -> Data { withUnsafeBytes(of: value.bigEndian) { Data($0) } }

    /// CRC-32 as PNG uses it.
    private static func checksum(_ data: Data) -> UInt32 {
        var sum = ~UInt32(0)
        for byte in data {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }
}

/// Fills a store with the rows of a list.
@MainActor
struct StoreFiller {
    private let store: PictureStore
    private let rows = StoredRows(engine: HTMLEngine())
    private let samples: [SamplePNG]

    /// - Parameter samples: a folder of pictures. Pictures of 16 KiB or more are skipped, so that the disk can store
    ///   all rows.
    init(folder: String, samples: String) throws {
        store = PictureStore(folder: folder, limits: StoreLimits(bytes: 1 << 40, freeBytes: 0))
        self.samples = try FileManager.default.contentsOfDirectory(atPath: samples).sorted().compactMap { name in
            let data = try Data(contentsOf: URL(fileURLWithPath: samples + "/" + name))
            return data.count < 16 << 10 ? SamplePNG(data) : nil
        }
        if self.samples.isEmpty { throw BenchmarkError("no picture in \(samples) is small enough") }
    }

    /// - Returns: `entry`, the microseconds per picture.
    func fill(_ count: Int) async throws -> [String: Double] {
        let (store, rows, samples) = (store, rows, samples)
        let time = try await Task.detached {
            var time = Duration.zero
            for start in stride(from: 0, to: count, by: 100) {
                let pictures = (start..<min(start + 100, count)).map {
                    (rows.key($0), rows.picture($0, like: samples[$0 % samples.count]))
                }
                let (isStored, one) = await timed { await store.store(pictures) }
                if !isStored { throw BenchmarkError("the store in \(store.folder) took no pictures") }
                time += one
            }
            await store.finish()
            return time
        }.value
        return ["entry": time / .microseconds(count)]
    }
}
