import CBlake2
import Foundation
import SeededRandom
import Testing

@testable import Offstage

/// The digest of large files, compared with the library's own, which computes one lane after the other.
@Suite struct TreeDigestTests {
    private static let lengths = [
        0, 1, 127, 128, 129, 511, 512, 513, 640, 1000, 1023, 1024, 1025, 1151, 1152, 1153, 1535, 1536, 1537, 2048,
        2049, 5000, 65_536, 100_001,
    ]

    private static let bytes = {
        var random = SeededGenerator(seed: 7)
        return Data((0..<100_001).map { _ in UInt8.random(in: 0...255, using: &random) })
    }()

    private static func expected(_ data: Data) -> String {
        var digest = [UInt8](repeating: 0, count: Digest.length)
        _ = data.withUnsafeBytes { bytes in
            // Some versions of the library do not accept a null pointer.
            [UInt8](bytes).withUnsafeBufferPointer {
                blake2bp(&digest, $0.baseAddress, nil, digest.count, data.count, 0)
            }
        }
        return digest.map { String(format: "%02x", $0) }.joined()
    }

    @Test(arguments: lengths) func itIsTheStandardsInAnyPieces(length: Int) {
        let data = Self.bytes.prefix(length)
        let expected = Self.expected(data)
        #expect(Digest(ofTree: data).description == expected)
        for step in [1, 100, 128, 512, 1000, 1024, 1500, 65_536] {
            let digest = Digest(ofTree: { add in
                data.withUnsafeBytes { bytes in
                    for start in stride(from: 0, to: length, by: step) {
                        add(UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + step, length)]))
                    }
                }
            })
            #expect(digest.description == expected, "pieces of \(step)")
        }
    }
}
