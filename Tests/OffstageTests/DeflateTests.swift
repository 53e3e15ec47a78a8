import COffstageDeflate
import Foundation
import Testing

/// ISA-L 2.30 uses the stream's address as the hash of the input's third byte, unless the input begins with a short
/// block.
struct DeflateTests {
    /// For the input below, these two addresses led to different output: of the 32,768 addresses that ISA-L
    /// distinguishes, only the second gave another result. Both are below 512 GiB, where the thread sanitizer allows
    /// memory.
    @Test func theAddressOfAStreamDoesNotInfluenceItsOutput() throws {
        #expect(
            try compressed(phrases(100_000), at: 0x10_0000_0000) == compressed(phrases(100_000), at: 0x10_5398_0000)
        )
    }

    /// Data made of phrases of 5 to 24 bytes that repeat.
    private func phrases(_ count: Int) -> [UInt8] {
        var (bytes, random) = ([UInt8](), UInt32(1))
        while bytes.count < count {
            random = random &* 1_664_525 &+ 1_013_904_223
            let word = (random >> 16) % 300
            for index in 0..<(5 + word % 20) where bytes.count < count {
                bytes.append(UInt8(truncatingIfNeeded: word &* 31 &+ ((index &* index &* word) >> 3)))
            }
        }
        return bytes
    }

    private func compressed(_ input: [UInt8], at address: Int) throws -> [UInt8] {
        let place = try #require(UnsafeMutableRawPointer(bitPattern: address))
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE
        let memory = try #require(mmap(place, offstage_deflate_size(), PROT_READ | PROT_WRITE, flags, -1, 0))
        try #require(memory == place)
        defer { munmap(memory, offstage_deflate_size()) }
        let deflate = OpaquePointer(memory)
        offstage_deflate_begin(deflate)
        var output = [UInt8](repeating: 0, count: input.count + 1_000)
        offstage_deflate_give(deflate, input, input.count, true)
        let count = offstage_deflate_read(deflate, &output, output.count)
        return Array(output[..<count])
    }
}
