import OffstageWorkers
import Testing

@testable import OffstageImages

/// After a library update, pictures are drawn again, so every library that decodes must be found, whatever its
/// version number.
@Suite struct LibraryTests {
    @Test func everyLibraryIsFound() {
        let files = WorkerProgram.files(
            of: ImageEngine.programs, libraries: ImageEngine.libraryNames, plugins: ImageEngine.plugins)
        // Older versions of libjxl have no separate colour library.
        let missing = files.filter { $0.path == nil && $0.name != "libjxl_cms" }.map(\.name)
        #expect(missing == [])
    }
}
