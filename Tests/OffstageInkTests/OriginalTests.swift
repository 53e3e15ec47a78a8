import Foundation
import Offstage
import Synchronization
import Testing

@testable import OffstageInk

/// Files that our format cannot store unchanged.
struct OriginalTests {
    private static let page =
        "<page width=\"300\" height=\"200\"><background type=\"pdf\" domain=\"attach\" filename=\"bg.pdf\" pageno=\"1\"/>"
        + "<layer><stroke tool=\"pen\" color=\"#000000ff\" width=\"1.41\">10 10 20 20</stroke></layer></page>"
    private static let packaged = storedZip([
        ("content.xml", Data("<xournal>\(page)</xournal>".utf8)), ("bg.pdf", Data("%PDF-1.4 hello".utf8)),
    ])

    private static let files: [(name: String, data: Data)] = [
        ("packaged.xopp", packaged),
        // Compressed like our own files.
        (
            "packed.inkml",
            Gzip.packed(
                Data("<ink xmlns=\"http://www.w3.org/2003/InkML\"><trace>10 0, 9 14, 8 28</trace></ink>".utf8))
        ),
        ("strokes.json", Data("[[[0,0,0.5],[100,0,1]]]".utf8)),
    ]

    @Test("A file that was only opened keeps its bytes; a changed file has its original beside it", arguments: 0..<3)
    func kept(number: Int) async throws {
        let (name, data) = Self.files[number]
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ink-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent(name)
        try data.write(to: file)
        let engine = InkEngine(workers: 1, jail: .never)
        let losses = Mutex<[InkLoss]>([])
        for changes in [false, true] {
            var opened = try await InkFile.open(file.path, engine: engine) { event in
                if case .saved(let lost) = event { losses.withLock { $0 = lost } }
            }
            if changes { opened.editor.add(windingStroke(), page: 0) }
            opened.file.save(&opened.editor)
            await opened.file.close()
            #expect(try Data(contentsOf: changes ? file.appendingPathExtension("original") : file) == data)
        }
        #expect(losses.withLock { $0.contains(.attachments) } == (number == 0))
        await engine.shutDown()
    }

    @Test("Attached backgrounds are lost in a file with another name")
    func attachments() {
        let attached = InkFileReference("bg.pdf", isAttached: true)
        for background in [InkBackground.document(attached, page: 1), .image(attached)] {
            let ink = Ink(pages: [InkPage(background: background)])
            #expect(XournalWriter.file(ink).losses == [.attachments])
            #expect(XournalWriter.file(ink, keepsAttachments: true).losses.isEmpty)
        }
        let elsewhere = InkFileReference("/a/bg.pdf", isAttached: false)
        #expect(XournalWriter.file(Ink(pages: [InkPage(background: .document(elsewhere, page: 1))])).losses.isEmpty)
    }

    @Test("Flat ends are flat in SVG, and square ends are longer")
    func caps() {
        func path(_ cap: InkCap, dash: [Float] = []) -> String {
            var stroke = Stroke([InkPoint(x: 20, y: 20), InkPoint(x: 80, y: 20)], width: 10)
            (stroke.cap, stroke.dash) = (cap, dash)
            let svg = InkSVGWriter.file(InkPage(width: 100, height: 40, layers: [InkLayer(strokes: [stroke])])).data
            let text = String(decoding: svg, as: UTF8.self)
            return text.components(separatedBy: " d=\"").last?.components(separatedBy: "\"").first ?? ""
        }
        #expect(path(.round).contains("a"))
        #expect(!path(.butt).contains("a") && path(.butt).hasPrefix("M20 25"))
        #expect(!path(.square).contains("a") && path(.square).hasPrefix("M15 25"))
        #expect(!path(.butt, dash: [10, 15]).contains("a"))
    }
}

/// A zip file with uncompressed entries. Our reader ignores the checksums.
private func storedZip(_ entries: [(name: String, data: Data)]) -> Data {
    func number(_ value: Int, _ count: Int) -> Data { Data((0..<count).map { UInt8(value >> (8 * $0) & 255) }) }
    var (data, directory) = (Data(), Data())
    for (name, content) in entries {
        let start = data.count
        // Without flags, method, time and checksum.
        var common = number(20, 2)
        common += number(0, 12)
        common += number(content.count, 4)
        common += number(content.count, 4)
        common += number(name.utf8.count, 2)
        common += number(0, 2)
        data += Data("PK\u{3}\u{4}".utf8)
        data += common
        data += Data(name.utf8)
        data += content
        directory += Data("PK\u{1}\u{2}".utf8)
        directory += number(20, 2)
        directory += common
        directory += number(0, 10)
        directory += number(start, 4)
        directory += Data(name.utf8)
    }
    let place = data.count
    data += directory
    data += Data("PK\u{5}\u{6}".utf8)
    data += number(0, 4)
    data += number(entries.count, 2)
    data += number(entries.count, 2)
    data += number(directory.count, 4)
    data += number(place, 4)
    data += number(0, 2)
    return data
}
