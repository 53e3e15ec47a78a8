import OffstageWorkers
import Testing

@testable import OffstageSound

/// After a library update, peaks are computed again, so every library that decodes must be found, whatever its
/// version number.
@Suite struct LibraryTests {
    @Test func everyLibraryIsFound() {
        let files = WorkerProgram.files(
            of: SoundSource.programs, libraries: SoundSource.libraryNames, plugins: SoundSource.plugins)
        // Plugins that Scripts/setup does not install: here, libav decodes AAC and AC-3.
        let optional = ["faad", "mpegtsdemux", "a52dec"]
        let missing = files.filter { file in file.path == nil && !optional.contains { file.name.contains($0) } }.map(
            \.name)
        #expect(missing == [])
    }
}
