import OffstageImages
import Testing

/// The limits in the documentation.
@Suite struct DefaultLimitTests {
    @Test func scans() {
        #expect(ImageLimits().jpegScans == 500)
    }
}
