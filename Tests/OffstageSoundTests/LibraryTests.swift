import OffstageWorkers
import Testing

@testable import OffstageSound

/// Peaks are computed again after an update of a library: each that decodes is found, whatever its file's number is.
@Suite struct LibraryTests {
    @Test func everyLibraryIsFound() {
        let files = WorkerProgram.files(
            of: SoundSource.programs, libraries: SoundSource.libraryNames, plugins: SoundSource.plugins)
        // Those that Scripts/setup does not install: libav decodes AAC and AC-3 here.
        let optional = ["faad", "mpegtsdemux", "a52dec"]
        let missing = files.filter { file in file.path == nil && !optional.contains { file.name.contains($0) } }.map(
            \.name)
        #expect(missing == [])
    }
}
