import OffstageWorkers
import Testing

@testable import OffstageImages

/// Pictures are drawn again after an update of a library: each that decodes is found, whatever its file's number is.
@Suite struct LibraryTests {
    @Test func everyLibraryIsFound() {
        let files = WorkerProgram.files(
            of: ImageEngine.programs, libraries: ImageEngine.libraryNames, plugins: ImageEngine.plugins)
        // Older versions of libjxl have no library for colours.
        let missing = files.filter { $0.path == nil && $0.name != "libjxl_cms" }.map(\.name)
        #expect(missing == [])
    }
}
