import OffstageImages
import Testing

/// The documents name these limits.
@Suite struct DefaultLimitTests {
    @Test func scans() {
        #expect(ImageLimits().jpegScans == 500)
    }
}
