import Foundation
import OffstageRequests
import Testing

/// The default of `--jobs`.
@Suite struct DrawingsAtOnceTests {
    private let processors = min(ProcessInfo.processInfo.activeProcessorCount, 8)

    @Test func fewPicturesAreWorthFewStarts() throws {
        let options = try EngineOptions()
        #expect(options.views(of: .html, for: 49) == 1)
        #expect(options.views(of: .html, for: 50) == min(2, processors))
        #expect(options.views(of: .images, for: 3) == 1)
        #expect(options.views(of: .images, for: 4) == min(2, processors))
        #expect(options.views(of: .sounds, for: 1) == 1)
        #expect(options.views(of: .sounds, for: 2) == min(2, processors))
        #expect(options.views(of: .images, for: 10_000) == processors)
        // A service does not know the number of pictures.
        #expect(options.viewsOrProcessors == processors)
    }

    @Test func theOptionCounts() throws {
        var options = try EngineOptions()
        options.views = 5
        #expect(options.views(of: .html, for: 10) == 5)
        // No more views than pictures.
        #expect(options.views(of: .html, for: 3) == 3)
    }
}
