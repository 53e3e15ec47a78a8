import Foundation
import Testing

@testable import Offstage
@testable import OffstageVector

/// A host that ignores SIGCHLD, as some servers do, so that the system does not keep exit codes. Each test runs in
/// its own process, because signals affect the whole process.
@Suite struct IgnoredChildrenTests {
    @Test func filesAreTheSame() async {
        await #expect(processExitsWith: .success) {
            let page = try VectorSample.image.firstPage()
            let (svg, png) = try (PDFToCairo(document: page).svg(), PDFToCairo(document: page).pixmap())
            signal(SIGCHLD, SIG_IGN)
            #expect(try PDFToCairo(document: page).svg() == svg)
            #expect(try PDFToCairo(document: page).pixmap() == png)
        }
    }

    @Test func aFailureIsAnError() async {
        await #expect(processExitsWith: .success) {
            signal(SIGCHLD, SIG_IGN)
            #expect(throws: EncodingError.self) { try PDFToCairo(document: Data("no PDF".utf8)).svg() }
        }
    }
}

extension PDFToCairo {
    fileprivate func pixmap() throws -> [UInt8] {
        let pixmap = try pixmap(scale: 1, isOpaque: true)
        return (0..<pixmap.size.height).flatMap { row in pixmap.withRow(row) { Array($0) } }
    }
}
